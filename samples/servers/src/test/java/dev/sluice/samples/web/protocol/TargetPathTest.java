package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetPathTest {

    private static String decode(String target) {
        return TargetPath.decode(target.getBytes(ISO_8859_1), 0, target.length());
    }

    @ParameterizedTest
    @CsvSource({"'',/", "/,/", "/a,/a", "/a/,/a/", "//,/", "//a//b//,/a/b/", "/.,/", "/./,/", "/a/.,/a/", "/a/./b,/a/b",
        "/a/..,/", "/a/b/..,/a/", "/a/b/../,/a/", "/a/b/../c,/a/c", "/a/../b,/b", "/a//../b,/b", "/...,/...", "/.a,/.a",
        "/a..b,/a..b", "/..a/a..,/..a/a..", "/%61,/a", "/%2e/a,/a", "/a/%2E%2e/b,/b", "/a/.%2e/b,/b", "/a%20b,/a b",
        "/%25,/%", "/%252e%252e/a,/%2e%2e/a", "/%2525,/%25", "/a;x=y,/a;x=y", "/a+b,/a+b", "/%3F,/?", "/%23,/#",
        "/%c3%a9,/\u00e9", "/%F0%9F%90%8B,/\ud83d\udc0b", "/|,/|"})
    void decodesOnceAndNormalises(String target, String path) {
        assertEquals(path, decode(target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/..", "/../", "/../a", "/./..", "/a/../..", "/a/../../a", "/%2e%2e/a", "/.%2e/a",
        "/%2E./a", "//..", "/..//a", "/%2f", "/a%2fb", "/..%2fa", "/%2F..%2f", "/%5c", "/..%5ca", "/a\\b", "/\\a",
        "/%00", "/a%00.html", "/%0a", "/%0D%0Ax", "/%1f", "/%7f", "/%", "/%2", "/a%", "/%zz", "/%2g", "/%-1", "/%+1",
        "/% 1", "/%u002e", "/%c0%ae%c0%ae/a", "/%c0%af", "/%e0%80%af", "/%f0%80%80%af", "/%c1%9c", "/%ff", "/%80",
        "/%c3", "/%c3/", "/%ed%a0%80", "/%f4%90%80%80", "/%fe%80%80%80%80%80%af", "/\u00e9",
        "/%c2%80", "/a%C2%9B2J", "/%c2%85b"})
    void refuses(String target) {
        assertNull(decode(target), target);
    }

    @Test
    void encodesForALocation() {
        assertEquals("/a%20b/%C3%A9%25%3F%23%22%3C%7C;=", TargetPath.encode("/a b/\u00e9%?#\"<|;="));
    }
}
