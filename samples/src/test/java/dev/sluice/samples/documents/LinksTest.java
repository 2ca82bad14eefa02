package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents point at is there. */
class LinksTest {

    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\\n]*`");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "samples/README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md",
            "CHANGELOG.md"})
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
        return LINK.matcher(Files.readString(file)).results().map(link -> link.group(1))
                .filter(link -> !link.contains("://")).toList();
    }

    /** {@return what readers of Markdown make of the headings} */
    private static List<String> anchors(Path file) throws IOException {
        String text = CODE.matcher(Files.readString(file)).replaceAll(LinksTest::withoutFences);
        return HEADING.matcher(text).results().map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{Alnum} _-]", "").replace(' ', '-')).toList();
    }

    private static String withoutFences(MatchResult code) {
        return code.group().startsWith("```") ? "" : Matcher.quoteReplacement(code.group().replace("`", ""));
    }
}
