package dev.sluice.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What a web server replies to one request after the other, on a connection that stays open. */
final class WebReply {

    static final int OK = 200;
    static final int UNAVAILABLE = 503;

    private static final int LONGEST_HEAD = 4096;
    private static final byte[] BEGINNING = "HTTP/1.1 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RETRY = "retry-after:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "connection: close".getBytes(StandardCharsets.US_ASCII);
    private static final int DECIMAL = 10;

    private final ByteBuffer pattern;
    private final byte[] head = new byte[LONGEST_HEAD];
    private Page page;
    private int headLength;
    private boolean inBody;
    private int status;
    private int length;
    private int received;
    private int place;
    private int retryAfter;
    private boolean closes;

    /**
     * Creates a reply.
     *
     * @param pattern that files are made of; at least as long as what comes at once
     */
    WebReply(Pattern pattern) {
        this.pattern = pattern.view();
    }

    /**
     * Begins another one.
     *
     * @param expected the page requested
     */
    void begin(Page expected) {
        page = expected;
        headLength = 0;
        inBody = false;
        received = 0;
        place = page.place();
    }

    /** {@return whether nothing of it has come} */
    boolean isUntouched() {
        return headLength == 0;
    }

    /** {@return the status code} */
    int status() {
        return status;
    }

    /** {@return the seconds to wait before the next request; 0 if the server has said nothing} */
    int retryAfter() {
        return retryAfter;
    }

    /** {@return whether the server closes the connection behind it} */
    boolean closes() {
        return closes;
    }

    /**
     * Takes what has come.
     *
     * @param bytes from position to limit
     * @return whether that was its end
     * @throws IOException if it is not what was asked for, nor a refusal
     */
    boolean take(ByteBuffer bytes) throws IOException {
        while (!inBody) {
            if (!bytes.hasRemaining()) {
                return false;
            }
            if (headLength == LONGEST_HEAD) {
                throw wrong("the head has more than " + LONGEST_HEAD + " bytes");
            }
            head[headLength++] = bytes.get();
            if (head[headLength - 1] == '\n' && headLength >= 4 && head[headLength - 2] == '\r'
                    && head[headLength - 3] == '\n' && head[headLength - 4] == '\r') {
                parse();
                inBody = true;
            }
        }
        int count = bytes.remaining();
        if (count > length - received) {
            throw wrong("more came than its " + length + " bytes");
        }
        if (status == OK && place != Page.ANYTHING && count > 0) {
            pattern.limit(place + count).position(place);
            int wrong = bytes.mismatch(pattern);
            if (wrong >= 0) {
                throw wrong("byte " + (received + wrong) + " is wrong");
            }
            place = Pattern.after(place, count);
        }
        received += count;
        return received == length;
    }

    private void parse() throws IOException {
        status = headLength > BEGINNING.length && startsWith(0, BEGINNING) ? number(BEGINNING.length) : -1;
        if (status != OK && status != UNAVAILABLE) {
            throw wrong(new String(head, 0, endOfLine(0), StandardCharsets.ISO_8859_1));
        }
        length = -1;
        retryAfter = 0;
        closes = false;
        for (int line = endOfLine(0) + 2; line < headLength - 2; line = endOfLine(line) + 2) {
            if (startsWith(line, LENGTH)) {
                length = number(line + LENGTH.length);
            } else if (startsWith(line, RETRY)) {
                retryAfter = number(line + RETRY.length);
            } else if (startsWith(line, CLOSE)) {
                closes = true;
            }
        }
        if (length < 0) {
            throw wrong("it does not tell its length");
        }
        if (status == OK && length != page.size()) {
            throw wrong("its length is " + length + ", not " + page.size());
        }
    }

    private int endOfLine(int from) {
        int end = from;
        while (head[end] != '\r') {
            end++;
        }
        return end;
    }

    private boolean startsWith(int from, byte[] name) {
        if (headLength - from < name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            byte next = head[from + i];
            if (next != name[i] && (next < 'A' || next > 'Z' || next + 'a' - 'A' != name[i])) {
                return false;
            }
        }
        return true;
    }

    private int number(int from) {
        int at = from;
        while (head[at] == ' ') {
            at++;
        }
        int number = head[at] >= '0' && head[at] <= '9' ? 0 : -1;
        for (; head[at] >= '0' && head[at] <= '9'; at++) {
            number = Math.min(number, Integer.MAX_VALUE / DECIMAL - 1) * DECIMAL + head[at] - '0';
        }
        return number;
    }

    private IOException wrong(String what) {
        return new IOException("the reply to GET " + page.path() + ": " + what);
    }
}
