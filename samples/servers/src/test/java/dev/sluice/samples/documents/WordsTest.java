package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.samples.Repository;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources and pages contain no idiom that {@code .mvn/words-to-avoid.txt} lists. */
@Tag(Depth.IN_QUICK)
class WordsTest {

    private static final String PATTERNS = ".mvn/words-to-avoid.txt";

    private static final WordsToAvoid EXAMPLE = words(
            "# Comment", "[prose]", "0 \\bgnats?\\b", "1 ^Lo ", "[code]", "0 \\bGNAT_\\w+", "[allowed]",
            "docs/: the gnat of Linnaeus: a quotation");

    @Test
    void sourcesAndPagesAvoidThem() throws IOException {
        WordsToAvoid words = new WordsToAvoid(Files.readAllLines(Repository.root().resolve(PATTERNS)));
        List<WordsToAvoid.Match> matches = Documents.sources().parallelStream().filter(WordsTest::isSearched)
                .flatMap(file -> words.search(name(file), read(file)).stream()).toList();
        assertEquals("", String.join("\n", words.problems(matches)), "see " + PATTERNS);
    }

    private static boolean isSearched(Path file) {
        String name = name(file);
        return name.endsWith(".java") || name.endsWith(".md") && !SpellingTest.isGenerated(name);
    }

    private static String name(Path file) {
        return Repository.root().relativize(file).toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void reportsFileLineAndPatternOfAMatch() {
        List<String> problems = problems("A.java", "Lo \n\n    // Two gnats.\n");
        assertEquals(List.of("1 lines match 0 \\bgnats?\\b", "    A.java:3: gnats: // Two gnats."),
                problems.subList(0, 2));
    }

    @Test
    void acceptsTextWithoutAMatch() {
        assertEquals(List.of("needless: docs/: the gnat of Linnaeus: a quotation"),
                problems("A.java", "Lo \nignatius\n"));
    }

    @Test
    void acceptsAnAllowedTextInItsPathAlone() {
        String text = "Lo \nthe gnat of Linnaeus\n";
        assertEquals(List.of(), problems("docs/a.md", text));
        assertEquals(3, problems("samples/a.md", text).size());
    }

    @Test
    void reportsOtherMatchesThanTheAllowedText() {
        assertEquals(2, problems("docs/a.md", "Lo \nthe gnat of Linnaeus\na gnat\n").size());
    }

    @Test
    void searchesPagesForProseAlone() {
        assertEquals(1, problems("a.md", "Lo \nGNAT_1\n").size());
        assertEquals(3, problems("A.java", "Lo \nGNAT_1\n").size());
    }

    @Test
    void reportsALimitThatIsTooHigh() {
        assertEquals("lower the limit to 0: 1 ^Lo ", problems("docs/a.md", "the gnat of Linnaeus").get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 before any section", "[prose]\nno limit", "[allowed]\npath: no reason"})
    void rejectsLinesOfAnotherForm(String lines) {
        assertThrows(IllegalArgumentException.class, () -> words(lines.split("\n")));
    }

    private static List<String> problems(String file, String text) {
        return EXAMPLE.problems(EXAMPLE.search(file, text));
    }

    private static WordsToAvoid words(String... lines) {
        return new WordsToAvoid(List.of(lines));
    }
}
