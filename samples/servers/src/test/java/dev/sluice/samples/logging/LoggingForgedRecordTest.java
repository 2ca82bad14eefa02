package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of lines inside a record, after which another record seems to begin: the file has one line for it. */
@EnabledOnOs(OS.LINUX)
class LoggingForgedRecordTest {

    @TempDir
    private Path directory;

    /** What some program or other takes for the end of a line, and LF in an encoding that UTF-8 forbids. */
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\n\n", "\r", "\u000b", "\f", "\0", "\0\n", "\u0085", "\u2028", "\u2029",
        "over long"})
    void aRecordIsOneLine(String end) throws Exception {
        byte[] inside = end.equals("over long") ? "\u00c0\u008a".getBytes(ISO_8859_1) : end.getBytes(UTF_8);
        String text = "<13>one" + new String(inside, ISO_8859_1) + "<13>two";
        byte[] record = text.getBytes(ISO_8859_1);
        StringBuilder escaped = new StringBuilder("<13>one");
        for (byte octet : inside) {
            escaped.append(String.format(Locale.ROOT, "#%03o", octet & 0xFF));
        }
        String line = escaped.append("<13>two").toString();
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect();
                DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(record, record.length, logging.address()));
            logging.awaitLines(line);
            byte[] count = (record.length + " ").getBytes(UTF_8);
            client.send(count, 0, count.length);
            client.send(record, 0, record.length);
            logging.awaitLines(line, line);
            assertEquals(2, String.join("\n", logging.lines()).split("\\R").length);
        }
    }

    /** RFC 6587 section 3.4.2: a LF ends the record. What follows is no record unless it begins as one. */
    @Test
    void aStreamThatIsFramedByNewlinesHasARecordForEachLine() throws Exception {
        try (LoggingSample logging = LoggingSample.start(directory); SyslogClient client = logging.connect()) {
            client.send("<13>one\nan entry that was never sent\n<13>two\n");
            client.end();
            logging.awaitLines("<13>one", "<13>two");
            assertEquals("2 records accepted, 1 malformed, 0 oversized, 0 truncated, 0 framing errors, 1 connections",
                    logging.stop());
        }
    }
}
