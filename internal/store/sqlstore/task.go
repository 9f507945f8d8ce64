package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"vitrine/internal/store"
)

// Task implements [store.Store].
func (s *Store) Task(ctx context.Context, name string) (store.Task, error) {
	return read(ctx, s, "read a task", func(tx *Tx) (store.Task, error) {
		task := store.Task{Name: name}
		var state string
		if err := tx.needs(2); err != nil {
			return task, err
		}
		err := tx.QueryRowContext(ctx, `SELECT token, state FROM task WHERE name = $1`, name).Scan(&task.Token, &state)
		if errors.Is(err, sql.ErrNoRows) {
			return task, nil
		}
		task.State = []byte(state)
		return task, err
	})
}

// SetTask implements [store.Store].
func (s *Store) SetTask(ctx context.Context, from int64, task store.Task) error {
	return s.write(ctx, "write a task", func(tx *Tx) error { return setTask(ctx, tx, from, task) })
}

// setTask writes a task whose stored token is from, 0 for none.
func setTask(ctx context.Context, tx *Tx, from int64, task store.Task) error {
	if task.Name == "" || task.Token < max(from, 1) {
		return errors.New("the task has no name, or a smaller token than before")
	}
	for _, text := range []string{task.Name, string(task.State)} {
		if err := storable(text); err != nil {
			return fmt.Errorf("the task %q %w", task.Name, err)
		}
	}
	if err := tx.needs(2); err != nil {
		return err
	}
	statement, args := `INSERT INTO task (name, token, state) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
		[]any{task.Name, task.Token, string(task.State)}
	if from != 0 {
		statement, args = `UPDATE task SET token = $2, state = $3 WHERE name = $1 AND token = $4`, append(args, from)
	}
	result, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return store.ErrTaken
}
