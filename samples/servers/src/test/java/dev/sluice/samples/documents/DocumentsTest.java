package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Repository;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents point at is there. */
@Tag(Depth.IN_QUICK)
class DocumentsTest {

    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`]*`");
    private static final Pattern LINK = Pattern.compile("](?:\\(|: +)([^)\\s]+)|(?:href|src)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
    private static final Pattern PATH = Pattern.compile("[\\w.-]+(?:/[\\w.-]+)+/?");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Set<String> WORDS_OF_SOURCES = new TreeSet<>();
    private static final Pattern CAMEL_CASE = Pattern.compile("\\w*[a-z]\\w*[A-Z]\\w*");

    static List<String> documents() throws IOException {
        return Documents.names();
    }

    @Test
    void allAreFound() throws IOException {
        assertTrue(documents().containsAll(List.of("ARCHITECTURE.md", "README.md", "samples/README.md")),
                documents()::toString);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadSomewhere(String document) throws IOException {
        Path file = Repository.root().resolve(document);
        List<String> broken = new ArrayList<>();
        for (String target : links(file)) {
            int hash = target.indexOf('#');
            Path linked = hash == 0 ? file : file.resolveSibling(hash < 0 ? target : target.substring(0, hash));
            if (!Files.exists(linked) || hash >= 0 && !anchors(linked).contains(target.substring(hash + 1))) {
                broken.add(target);
            }
        }
        assertEquals(List.of(), broken);
    }

    /** Those that lead to other sites are left out: a test does not ask the network. */
    private static List<String> links(Path file) throws IOException {
        return LINK.matcher(CODE.matcher(Files.readString(file)).replaceAll("")).results()
                .map(link -> link.group(1) != null ? link.group(1) : link.group(2))
                .filter(link -> !link.contains("://")).toList();
    }

    /** {@return what readers of Markdown make of the headings} */
    private static List<String> anchors(Path file) throws IOException {
        String text = CODE.matcher(Files.readString(file)).replaceAll(DocumentsTest::withoutFences);
        return HEADING.matcher(text).results().map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{Alnum} _-]", "").replace(' ', '-')).toList();
    }

    private static String withoutFences(MatchResult code) {
        return code.group().startsWith("```") ? "" : Matcher.quoteReplacement(code.group().replace("`", ""));
    }

    /** Those that begin with what the root of the repository has. */
    @ParameterizedTest
    @MethodSource("documents")
    void pathsInCodeAreThere(String document) throws IOException {
        Path root = Repository.root();
        assertEquals(List.of(), spans(document).filter(PATH.asMatchPredicate())
                .filter(path -> Files.exists(root.resolve(path.substring(0, path.indexOf('/')))))
                .filter(path -> !Files.exists(root.resolve(path))).toList());
    }

    /** Classes and methods are renamed, and the documents that name them are forgotten. */
    @ParameterizedTest
    @ValueSource(strings = {"ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "docs/papers.md"})
    void namesInCodeAreOfTheSources(String document) throws IOException {
        Set<String> sources = wordsOfTheSources();
        Set<String> unknown = new TreeSet<>();
        // Options of Maven are not ours.
        spans(document).filter(span -> !span.startsWith("mvn ")).flatMap(DocumentsTest::words)
                .filter(CAMEL_CASE.asMatchPredicate()).filter(word -> !sources.contains(word)).forEach(unknown::add);
        assertEquals(Set.of(), unknown);
    }

    /** What it has no space for is in the guide. */
    @Test
    void theReadmeIsShort() throws IOException {
        Properties budget = new Properties();
        try (Reader reader = Files.newBufferedReader(Repository.root().resolve(".mvn/budget.properties"))) {
            budget.load(reader);
        }
        int words = Document.read("README.md").text().strip().split("\\s+").length;
        assertTrue(words <= Integer.parseInt(budget.getProperty("readme.words")), () -> words + " words");
    }

    private static Stream<String> spans(String document) throws IOException {
        return CODE.matcher(Document.read(document).text()).results().map(MatchResult::group)
                .filter(code -> !code.startsWith("```")).map(code -> code.replace("`", ""));
    }

    private static synchronized Set<String> wordsOfTheSources() throws IOException {
        if (!WORDS_OF_SOURCES.isEmpty()) {
            return WORDS_OF_SOURCES;
        }
        for (Path file : Documents.sources()) {
            if (isSource(file)) {
                words(Files.readString(file)).forEach(WORDS_OF_SOURCES::add);
            }
        }
        return WORDS_OF_SOURCES;
    }

    private static boolean isSource(Path path) {
        return path.toString().endsWith(".java") || path.endsWith("pom.xml");
    }

    private static Stream<String> words(String text) {
        return WORD.matcher(text).results().map(MatchResult::group);
    }
}
