package dev.sluice.samples.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.Programs;
import dev.sluice.samples.Repository;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documents are spelled as the dictionary of GNU Aspell has it, or as this project's own list of words. */
class SpellingTest {

    private static final String OWN_WORDS = ".mvn/words.txt";
    /** Pages with names of contestants and of what they do, most of it, and made of what stands in the sources. */
    private static final Pattern GENERATED = Pattern.compile("samples/benchmarks/(RESULTS|results/[^/]+)\\.md");
    private static final String LANGUAGE = "en_GB";
    private static final Pattern NO_PROSE =
            Pattern.compile("(?ms)^```.*?^```|^ {4}[^\\n]*$|`[^`]*`|(?<=])\\([^)]*\\)|<[^>\\n]*>");

    @Test
    void documentsAreSpelledRight() throws Exception {
        Set<String> unknown = unknownToTheDictionary();
        unknown.removeAll(ownWords());
        assertEquals(Set.of(), unknown, "spelled right, they belong into " + OWN_WORDS);
    }

    /** The list contains no word that the dictionary has or that no page uses any longer. */
    @Test
    void ownWordsAreSortedAndNeeded() throws Exception {
        List<String> words = ownWords();
        assertEquals(List.copyOf(new TreeSet<>(words)), words);
        Set<String> needless = new TreeSet<>(words);
        needless.removeAll(unknownToTheDictionary());
        assertEquals(Set.of(), needless);
    }

    /** {@return whether a page is the report of a run of the benchmarks} */
    static boolean isGenerated(String name) {
        return GENERATED.matcher(name).matches();
    }

    private static List<String> ownWords() throws IOException {
        return Files.readAllLines(Repository.root().resolve(OWN_WORDS));
    }

    private static Set<String> unknownToTheDictionary() throws Exception {
        assumeTrue(Programs.has("aspell"), "no aspell here");
        StringBuilder prose = new StringBuilder();
        for (String name : Documents.names()) {
            if (isGenerated(name)) {
                continue;
            }
            prose.append(NO_PROSE.matcher(Document.read(name).text()).replaceAll(" ")).append('\n');
        }
        Process aspell = new ProcessBuilder("aspell", "list", "--lang=" + LANGUAGE, "--encoding=utf-8").start();
        try {
            Background<byte[]> output = Background.run(() -> aspell.getInputStream().readAllBytes());
            Background<byte[]> errors = Background.run(() -> aspell.getErrorStream().readAllBytes());
            try (OutputStream input = aspell.getOutputStream()) {
                input.write(prose.toString().getBytes(UTF_8));
            }
            Set<String> unknown = new TreeSet<>(new String(output.result(), UTF_8).lines().toList());
            // Aspell is there without a dictionary where only the one was installed.
            assertEquals("", new String(errors.result(), UTF_8));
            assertEquals(0, aspell.waitFor());
            return unknown;
        } finally {
            aspell.destroyForcibly().waitFor();
        }
    }
}
