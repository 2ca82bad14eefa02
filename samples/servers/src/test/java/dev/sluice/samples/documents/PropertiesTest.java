package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on operations lists each system property of the library, and no other. */
class PropertiesTest {

    private static final Pattern IN_CODE = Pattern.compile("\"(sluice\\.[a-z_.-]+)\"");
    private static final Pattern IN_TABLE = Pattern.compile("^\\| `(sluice\\.[a-z_.-]+)` \\|", Pattern.MULTILINE);
    private static final Pattern OF_LIBRARY = Pattern.compile("(native|java-api|demultiplexers)/.*src/main/java/.*");

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void thePageListsWhatTheCodeReads() throws IOException {
        Set<String> read = new TreeSet<>();
        for (Path file : Documents.sources()) {
            String name = Repository.root().relativize(file).toString().replace('\\', '/');
            if (OF_LIBRARY.matcher(name).matches() && name.endsWith(".java")) {
                read.addAll(found(IN_CODE, Files.readString(file)));
            }
        }
        String page = Files.readString(Repository.root().resolve("docs/operations.md"));
        assertEquals(read, found(IN_TABLE, page));
    }
}
