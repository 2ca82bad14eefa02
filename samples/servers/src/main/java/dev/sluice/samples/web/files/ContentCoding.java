package dev.sluice.samples.web.files;

/** A content coding that a file may be there in (RFC 9110 section 8.4.1), the better one first. */
public enum ContentCoding {
    /** Brotli (RFC 7932): only as a file beside the plain one. */
    BR("br", ".br"),
    /** The format of gzip (RFC 1952): as a file beside the plain one, or made here. */
    GZIP("gzip", ".gz");

    private final String token;
    private final String extension;

    ContentCoding(String token, String extension) {
        this.token = token;
        this.extension = extension;
    }

    /** {@return its name in header fields} */
    public String token() {
        return token;
    }

    /** What the name of a file in this coding has behind that of the plain one. */
    String extension() {
        return extension;
    }
}
