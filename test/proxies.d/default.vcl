# Varnish with its default configuration: it requests only gzip, and decodes it for clients that
# do not accept it.
vcl 4.1;

backend vitrine {
	.host = "{host}";
	.port = "{port}";
}
