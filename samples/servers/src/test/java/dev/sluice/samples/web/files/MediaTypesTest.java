package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypesTest {

    @ParameterizedTest
    @CsvSource({"/index.html,text/html; charset=utf-8", "/a.b/X.CSS,text/css; charset=utf-8",
        "/a.min.js,text/javascript; charset=utf-8", "/a.SVG,image/svg+xml", "/a.tar.gz,application/gzip",
        "/a,application/octet-stream", "/a.html/b,application/octet-stream",
        "/a.,application/octet-stream", "/a.unknown,application/octet-stream", "/.html,text/html; charset=utf-8"})
    void types(String name, String type) {
        assertEquals(type, MediaTypes.BUILT_IN.of(name));
    }
}
