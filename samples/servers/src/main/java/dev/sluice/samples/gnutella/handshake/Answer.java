package dev.sluice.samples.gnutella.handshake;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of a servent of 0.6: a status, and headers.
 *
 * @param status such as {@code 200 OK}
 * @param others whom it knows
 */
record Answer(String status, List<InetSocketAddress> others) {

    /** What we say about ourselves. */
    static final String ABOUT_US = Head.USER_AGENT + ": Sluice" + Head.END + Head.BYE_PACKET + ": 0.1" + Head.END;

    private static final String PREFIX = "GNUTELLA/" + Version.NEW + " ";
    private static final Pattern LINE = Pattern.compile("GNUTELLA/\\d{1,4}\\.\\d{1,4} (\\d{3}.*)");
    private static final String OK_CODE = "200";

    static Answer parse(Head head) throws RefusedException {
        Matcher line = LINE.matcher(head.firstLine());
        if (!line.matches()) {
            throw new RefusedException(Status.BAD, "no answer to a greeting");
        }
        return new Answer(line.group(1), HostList.parse(head.header(Head.X_TRY)));
    }

    void requireOk() throws RefusedException {
        if (!status.startsWith(OK_CODE)) {
            throw new RefusedException(others, "the other side has answered " + status);
        }
    }

    /** {@return the answer to a greeting} */
    static ByteBuffer ok() {
        return HeadReader.bytes(PREFIX + Status.OK + Head.END + ABOUT_US + Head.END);
    }

    /** {@return the answer to that} */
    static ByteBuffer agreement() {
        return HeadReader.bytes(PREFIX + Status.OK + Head.END + Head.END);
    }

    static ByteBuffer refusal(Status status, List<InetSocketAddress> others) {
        String hosts = others.isEmpty() ? "" : Head.X_TRY + ": " + HostList.show(others) + Head.END;
        return HeadReader.bytes(PREFIX + status + Head.END + hosts + Head.END);
    }
}
