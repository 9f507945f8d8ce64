package postgres_test

import (
	"database/sql"
	"testing"

	"vitrine/internal/store/storetest"
)

// TestPurgeLeavesNoRows checks that no row of any table has a value of a purged record.
func TestPurgeLeavesNoRows(t *testing.T) {
	dsn := schema(t)
	storetest.PurgeAccount(t, open(t, dsn))
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"revision", "record", "observation", "released", "task", "api_key"} {
		var n int
		err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM `+schemaOf(t, dsn)+`.`+table+` r WHERE r::text LIKE '%' || $1 || '%'`, storetest.PurgedValue).Scan(&n)
		if err != nil || n != 0 {
			t.Errorf("%s has %d rows with the value, %v", table, n, err)
		}
	}
}
