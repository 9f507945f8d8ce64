# Varnish as it comes: it asks for gzip alone, and unpacks for those who do not
# take it.
vcl 4.1;

backend vitrine {
	.host = "{host}";
	.port = "{port}";
}
