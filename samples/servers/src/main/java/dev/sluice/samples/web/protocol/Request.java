package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/**
 * A request as its {@link RequestParser} has read it: a view of the octets of its head, good until the parser is fed
 * again. Text is made only of what is asked for.
 */
public final class Request {

    private static final int INITIAL_SIZE = 1024;
    private static final int INITIAL_FIELDS = 16;
    /** More is not kept for the next request, or all connections would end up with the most. */
    private static final int MAX_RETAINED = 4 * INITIAL_SIZE;

    // Of each field: where its name begins and ends, where its value begins and ends.
    private static final int PLACES = 4;

    private byte[] octets = new byte[INITIAL_SIZE];
    private int length;
    private int[] fields = new int[PLACES * INITIAL_FIELDS];
    private int fieldCount;

    private int lineEnd;
    private Method method;
    private int minorVersion;
    private int targetStart;
    private int targetEnd;
    private int pathStart;
    private int pathEnd;
    private boolean persistent;
    private String client;
    private ContentSink sink;

    Request() {
        clear();
    }

    void clear() {
        closeSink();
        if (octets.length > MAX_RETAINED) {
            octets = new byte[INITIAL_SIZE];
        }
        length = 0;
        fieldCount = 0;
        lineEnd = 0;
        method = Method.UNKNOWN;
        minorVersion = 1;
        targetStart = targetEnd = pathStart = pathEnd = 0;
        persistent = false;
    }

    void append(byte octet) {
        if (length == octets.length) {
            octets = Arrays.copyOf(octets, 2 * length);
        }
        octets[length++] = octet;
    }

    byte[] octets() {
        return octets;
    }

    int length() {
        return length;
    }

    void line(int end, Method asked, int minor, int targetFrom, int targetTo) {
        lineEnd = end;
        method = asked;
        minorVersion = minor;
        targetStart = targetFrom;
        targetEnd = targetTo;
    }

    /** Whether the target has the form of a path, which is all others but the asterisk and the authority. */
    boolean hasPath() {
        return pathEnd > 0;
    }

    /** {@return where the content goes; null if it is read over} */
    ContentSink sink() {
        return sink;
    }

    /** Calls {@link ContentSink#store()} of the sink of the content, after {@link RequestParser.Progress#STORE}. */
    public void storeContent() {
        sink.store();
    }

    /**
     * Refuses the content instead.
     *
     * @param why the answer to the request
     */
    public void refuseContent(Status why) {
        sink.refuse(why);
    }

    /** {@return what has taken content, and is the caller's to close; null if there is none} */
    public ContentSink releaseSink() {
        ContentSink released = sink;
        sink = null;
        return released;
    }

    void sink(ContentSink taker) {
        sink = taker;
    }

    private void closeSink() {
        ContentSink open = releaseSink();
        if (open != null) {
            open.close();
        }
    }

    String fieldName(int index) {
        return text(fields[PLACES * index], fields[PLACES * index + 1]);
    }

    String fieldValue(int index) {
        return text(fields[PLACES * index + 2], fields[PLACES * index + 3]);
    }

    void path(int from, int to) {
        pathStart = from;
        pathEnd = to;
    }

    void persistent(boolean whether) {
        persistent = whether;
    }

    void addField(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        int at = PLACES * fieldCount++;
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, 2 * at);
        }
        fields[at] = nameStart;
        fields[at + 1] = nameEnd;
        fields[at + 2] = valueStart;
        fields[at + 3] = valueEnd;
    }

    int fieldCount() {
        return fieldCount;
    }

    /**
     * Says who asks; that holds for all requests of the parser.
     *
     * @param name of the client
     */
    public void client(String name) {
        client = name;
    }

    /** {@return the client's address; null if it has not been set} */
    public String client() {
        return client;
    }

    /** {@return what is to be done} */
    public Method method() {
        return method;
    }

    /** {@return the y of HTTP/1.y, at most 1} */
    public int minorVersion() {
        return minorVersion;
    }

    /** {@return whether the client wants to go on with this connection, and can} */
    public boolean isPersistent() {
        return persistent;
    }

    /** {@return the decoded path, beginning with a slash; null if no file can have it} */
    public String path() {
        return TargetPath.decode(octets, pathStart, pathEnd);
    }

    /** {@return the query with its question mark as the client wrote it, or empty} */
    public String query() {
        return pathEnd == 0 ? "" : text(pathEnd, targetEnd);
    }

    /**
     * Looks a field up.
     *
     * @param name in lower case
     * @return its value, that of several lines joined by commas (RFC 9110 section 5.3); null if there is none
     */
    public String field(String name) {
        String value = null;
        for (int at = find(name, 0); at >= 0; at = find(name, at + PLACES)) {
            String next = text(fields[at + 2], fields[at + 3]);
            value = value == null ? next : value + ", " + next;
        }
        return value;
    }

    int count(String name) {
        int count = 0;
        for (int at = find(name, 0); at >= 0; at = find(name, at + PLACES)) {
            count++;
        }
        return count;
    }

    /** Whether the value of the field, which is there once, is a host. */
    boolean isHost(String name) {
        int at = find(name, 0);
        return HttpGrammar.isHost(octets, fields[at + 2], fields[at + 3]);
    }

    private int find(String name, int from) {
        for (int at = from; at < PLACES * fieldCount; at += PLACES) {
            if (HttpGrammar.equalsIgnoreCase(octets, fields[at], fields[at + 1], name)) {
                return at;
            }
        }
        return -1;
    }

    /** {@return the first line as it was received, perhaps not to its end, with an octet to a character} */
    public String line() {
        return text(0, lineEnd > 0 ? lineEnd : length);
    }

    private String text(int from, int to) {
        return new String(octets, from, to - from, ISO_8859_1);
    }
}
