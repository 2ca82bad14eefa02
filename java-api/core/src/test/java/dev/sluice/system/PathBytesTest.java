package dev.sluice.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.IN_QUICK)
@Tag(CalledSystem.NOT_WINDOWS)
class PathBytesTest {

    /** Not UTF-8: paths that Java can represent are handled differently. */
    private static final String NO_TEXT = "\u00ff";

    private static byte[] bytes(String octets) {
        return octets.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ÿ", "/ÿ", "ÿ/a", "a/ÿ", "/a/ÿ/b", "ÿÿ/ÿ", "ÿ%2f", "ÿ?#"})
    void pathPreservesItsBytes(String octets) {
        assertEquals(octets, new String(PathBytes.of(PathBytes.toPath(bytes(octets))), StandardCharsets.ISO_8859_1));
    }

    /** As Java does in paths. */
    @ParameterizedTest
    @ValueSource(strings = {"x/", "x//", "//x", "x//y", "/x///y///", "///x"})
    void emptyNamesAreSkipped(String text) {
        String expected = Path.of(text).toString().replace("x", NO_TEXT);
        Path path = PathBytes.toPath(bytes(text.replace("x", NO_TEXT)));
        assertEquals(expected, new String(PathBytes.of(path), StandardCharsets.ISO_8859_1));
        assertEquals(Path.of(text).getNameCount(), path.getNameCount());
    }
}
