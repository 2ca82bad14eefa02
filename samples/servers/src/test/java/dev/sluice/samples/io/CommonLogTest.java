package dev.sluice.samples.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonLogTest {

    @ParameterizedTest
    @CsvSource({"GET / HTTP/1.1,1234,GET / HTTP/1.1,1234", "'',0,-,-", "GET /\" x\\y,0,GET /\\\" x\\\\y,-",
        "'a\r\nb\u007f\u00e9\u001bc',1,a\\x0d\\x0ab\\x7f\\xe9\\x1bc,1"})
    void lines(String request, long sent, String quoted, String size) {
        StringBuilder log = new StringBuilder();
        CommonLog.append(log, "::1", 784_111_777, request, 404, sent);
        assertEquals("::1 - - [06/Nov/1994:08:49:37 +0000] \"" + quoted + "\" 404 " + size + "\n", log.toString());
    }
}
