package dev.sluice.samples.io;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Lines of the Common Log Format of NCSA httpd:
 * {@code 127.0.0.1 - - [06/Nov/1994:08:49:37 +0000] "GET / HTTP/1.1" 200 1234}.
 */
final class CommonLog {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss", Locale.ENGLISH);

    private CommonLog() {
    }

    /**
     * Appends a line, which ends with LF and has only printable ASCII: what a client sends cannot forge a second line,
     * nor end the quotation.
     *
     * @param log     takes the line
     * @param client  its address
     * @param seconds when the request was answered, in seconds since 1970
     * @param request what was asked, with an octet to a character
     * @param status  the outcome
     * @param sent    how many octets of the body were sent
     */
    static void append(StringBuilder log, String client, long seconds, String request, int status, long sent) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        log.append(client).append(" - - [");
        TIME.formatTo(time, log);
        log.append(" +0000] \"");
        appendQuoted(log, request.isEmpty() ? "-" : request);
        log.append("\" ").append(status).append(' ');
        if (sent > 0) {
            log.append(sent);
        } else {
            log.append('-');
        }
        log.append('\n');
    }

    /** As Apache does it: a backslash before quotation mark and backslash, {@code \xhh} for what is not printable. */
    private static void appendQuoted(StringBuilder log, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                log.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7F) {
                log.append(c);
            } else {
                log.append("\\x").append(Character.forDigit(c >> 4 & 15, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
    }
}
