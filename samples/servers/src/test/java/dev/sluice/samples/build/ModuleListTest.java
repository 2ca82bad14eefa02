package dev.sluice.samples.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.ModuleList;
import dev.sluice.samples.Repository;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What needs a list of the modules reads one, and that one is complete. */
@Tag(Depth.IN_QUICK)
class ModuleListTest {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(sluice-[^<]+)</artifactId>");
    private static final Path ROOT = Repository.root();

    @Test
    void hasTheModulesOfTheBuildThatHaveSources() throws IOException {
        Set<String> built = new TreeSet<>();
        collect("", built);
        assertEquals(built, new TreeSet<>(ModuleList.all(ROOT)));
    }

    private static void collect(String folder, Set<String> built) throws IOException {
        List<String> modules = found(MODULE, folder);
        if (modules.isEmpty() && Files.exists(ROOT.resolve(folder).resolve("src/main"))) {
            built.add(folder);
        }
        for (String module : modules) {
            // The descriptors beside those of modules make no jar.
            if (!module.endsWith(".xml")) {
                collect(folder.isEmpty() ? module : folder + "/" + module, built);
            }
        }
    }

    @Test
    void hasEachAfterThoseThatItNeeds() throws IOException {
        List<String> before = new ArrayList<>();
        for (String module : ModuleList.all(ROOT)) {
            // The first names the parent.
            List<String> artifacts = found(ARTIFACT, module);
            List<String> needed = artifacts.subList(2, artifacts.size());
            assertTrue(before.containsAll(needed), () -> module + " needs " + needed);
            before.add(artifacts.get(1));
        }
    }

    /** {@return what a descriptor has of these, without what is for its tests or for a profile} */
    private static List<String> found(Pattern pattern, String folder) throws IOException {
        String pom = Files.readString(ROOT.resolve(folder).resolve("pom.xml")).replaceFirst("(?s)<profiles>.*", "");
        return pattern.matcher(pom).results().map(match -> match.group(1)).toList();
    }

    @Test
    void isWhatTheDocumentsName() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        String contributing = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
        for (String module : ModuleList.all(ROOT)) {
            assertTrue(readme.contains("[`" + module + "`](" + module + ")"), () -> "README.md has no " + module);
            // Documentation is made of the library alone.
            assertTrue(module.startsWith("samples/") || contributing.contains("," + module + ",")
                    || contributing.contains("," + module + " "), () -> "CONTRIBUTING.md documents no " + module);
        }
    }
}
