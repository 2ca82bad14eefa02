package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who renames a test hears of it at once, and not only after a night of foreign JVMs. */
class SuiteTest {

    @Test
    void everyClassIsInTheModuleOfItsSuite() {
        List<String> missing = new ArrayList<>();
        for (Suite suite : Suite.values()) {
            suite.classes().stream().filter(name -> !isIn(suite.module(), name)).forEach(missing::add);
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void everyClassOfTheShortFormIsInSomeModule() throws IOException {
        List<String> modules = OtherPlatformRun.modules();
        assertEquals(List.of(), Suite.SHORT.stream()
                .filter(name -> modules.stream().noneMatch(module -> isIn(module, name))).toList());
    }

    @Test
    void noClassIsInTwoSuites() {
        List<String> names = Arrays.stream(Suite.values()).flatMap(suite -> suite.classes().stream()).toList();
        assertTrue(names.size() > 50, names::toString);
        assertEquals(names.stream().distinct().toList(), names);
    }

    private static boolean isIn(String module, String name) {
        Path tests = Repository.root().resolve(module).resolve("src/test/java");
        return Files.isRegularFile(tests.resolve(name.replaceAll("[$].*", "").replace('.', '/') + ".java"));
    }
}
