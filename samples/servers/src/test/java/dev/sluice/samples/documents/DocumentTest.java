package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing that a reader would type escapes the tests of the documents. */
@Tag(Depth.IN_QUICK)
class DocumentTest {

    private static final String PAGE = """
            # Title

            Text with `mvn
            package` in it, `./sluice echo` and `-Doption=1`.

                ./sluice echo

                nc 127.0.0.1 \\
                    7007

            ## Another
            - a list that goes on
                in a line that is no block

            ```java
            class A { }
            ```
            ```sh
            A=1 ./sluice web --root "a b"
            ```

            | command | meaning | try it |
            |---|---|---|
            | `./sluice doctor` | what `--help` says | `curl x` |
            | `./sluice compare` | | |

            | word | meaning |
            |---|---|
            | `word` | `meaning` |
            """;

    private final List<Document.Passage> passages = new Document("PAGE.md", PAGE).passages();

    @Test
    void findsBlocksRowsAndCommandsInTheText() {
        assertEquals(List.of("Title", "Another: ./sluice doctor", "Another: ./sluice compare", "Another",
                "in the text: mvn package"), passages.stream().map(Document.Passage::title).toList());
        assertEquals(1, passages.get(0).blocks().size(), "a blank line does not end a block");
        assertEquals(2, passages.get(1).blocks().size(), "what is in two cells is for two terminals");
        assertEquals(List.of("./sluice echo", "nc 127.0.0.1 \\\n    7007"), commands(0));
        assertEquals(List.of("./sluice doctor", "curl x"), commands(1));
        assertEquals(List.of("./sluice compare"), commands(2));
        assertEquals(List.of("A=1 ./sluice web --root \"a b\""), commands(3));
    }

    private List<String> commands(int passage) {
        return passages.get(passage).commands().stream().map(Command::text).toList();
    }

    @Test
    void readsACommand() {
        Command command = new Command("A=\"1 2\" B=3 ./sluice web --root \"a b\" \\\n    --port 80");
        assertEquals(List.of("./sluice", "web", "--root", "a b", "--port", "80"), command.words());
        assertEquals("A=\"1 2\" B=3 exec ./sluice web --root \"a b\" \\\n    --port 80", command.replacingTheShell());
        assertEquals("exec nc a=b", new Command("nc a=b").replacingTheShell());
        assertEquals(Optional.of("a b"), command.value("--root"));
        assertEquals(Optional.empty(), command.value("--host"));
        assertTrue(command.isServer());
        assertFalse(new Command("./sluice web --help").isServer());
        assertTrue(new Command("./sluice compare").isLong());
        assertTrue(new Command("mvn verify").isLong());
    }
}
