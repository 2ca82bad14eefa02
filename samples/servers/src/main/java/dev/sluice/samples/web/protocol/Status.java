package dev.sluice.samples.web.protocol;

import java.nio.charset.StandardCharsets;

/** The outcomes of a request, with what an error page says of them. */
public enum Status {
    /** The whole file. */
    OK(200, "OK", ""),
    /** There was no such file before. */
    CREATED(201, "Created", "The file is there now."),
    /** Done, and nothing to tell. */
    NO_CONTENT(204, "No Content", ""),
    /** A part of the file. */
    PARTIAL_CONTENT(206, "Partial Content", ""),
    /** A directory, asked for without its trailing slash. */
    MOVED_PERMANENTLY(301, "Moved Permanently", "This is a directory; its address ends with a slash."),
    /** The client's copy is still good. */
    NOT_MODIFIED(304, "Not Modified", ""),
    /** Malformed, ambiguous, or a path that no file can have. */
    BAD_REQUEST(400, "Bad Request", "The server could not understand the request."),
    /** The system does not allow the server to write there. */
    FORBIDDEN(403, "Forbidden", "The server may not write there."),
    /** No such file, or none that may be seen. */
    NOT_FOUND(404, "Not Found", "There is no such page here."),
    /** Known, and not for this path. */
    METHOD_NOT_ALLOWED(405, "Method Not Allowed", "The page does not allow this method."),
    /** The request refuses every coding that the file is there in, and the plain one. */
    NOT_ACCEPTABLE(406, "Not Acceptable", "The page is not available in a coding that the request accepts."),
    /** The request did not arrive in time. */
    REQUEST_TIMEOUT(408, "Request Timeout", "The request took too long to arrive."),
    /** The path is that of a directory, or of something in a directory that is not there. */
    CONFLICT(409, "Conflict", "There can be no file with this name."),
    /** Something to write, and no word of how much it is. */
    LENGTH_REQUIRED(411, "Length Required", "The request does not specify the length of its content."),
    /** If-Match or If-Unmodified-Since does not hold. */
    PRECONDITION_FAILED(412, "Precondition Failed", "The file is not the version that the request insists on."),
    /** More content than the server is willing to drop. */
    CONTENT_TOO_LARGE(413, "Content Too Large", "The request carries more content than this server reads."),
    /** The request line is over its limit. */
    URI_TOO_LONG(414, "URI Too Long", "The address in the request is too long."),
    /** Something to write, in a coding that would be forgotten. */
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported Media Type", "The server keeps files as they are, without a coding."),
    /** The range lies behind the end of the file. */
    RANGE_NOT_SATISFIABLE(416, "Range Not Satisfiable", "The file has no such part."),
    /** The header section is over its limits. */
    FIELDS_TOO_LARGE(431, "Request Header Fields Too Large", "The header of the request is too large."),
    /** A part of the server has failed that is not its own. */
    INTERNAL_SERVER_ERROR(500, "Internal Server Error", "The server has failed to answer the request."),
    /** Unknown method or transfer coding. */
    NOT_IMPLEMENTED(501, "Not Implemented", "The request uses a method or a coding that this server does not know."),
    /** The system refuses to open or to write the file just now. */
    SERVICE_UNAVAILABLE(503, "Service Unavailable",
            "The file cannot be read or written at the moment. Please try again later."),
    /** More is asked for than can be done. */
    BUSY(503, "Service Unavailable", "The server is overloaded at the moment. Please try again later."),
    /** Neither HTTP/1.0 nor HTTP/1.1. */
    VERSION_NOT_SUPPORTED(505, "HTTP Version Not Supported", "This server speaks HTTP/1.0 and HTTP/1.1."),
    /** The disk is full, or the user's share of it. */
    INSUFFICIENT_STORAGE(507, "Insufficient Storage", "There is no space for the file.");

    private final int code;
    private final byte[] line;
    private final byte[] page;

    Status(int code, String reason, String explanation) {
        this.code = code;
        this.line = ("HTTP/1.1 " + code + " " + reason + "\r\n").getBytes(StandardCharsets.US_ASCII);
        this.page = explanation.isEmpty() ? new byte[0] : ErrorPage.of(code, reason, explanation);
    }

    /** {@return the three digits} */
    public int code() {
        return code;
    }

    byte[] line() {
        return line;
    }

    /** The page for a person to read; empty where the content is the file's. Not to be modified. */
    byte[] page() {
        return page;
    }
}
