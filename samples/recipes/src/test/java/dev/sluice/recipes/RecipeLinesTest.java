package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A recipe has to stay short, and the guide says how short it is beside the same program on Netty or {@code java.nio}.
 * Lines count from that of the class, without those that are empty.
 */
class RecipeLinesTest {

    private static final Path RECIPES = Path.of("samples/recipes/src/main/java/dev/sluice/recipes");
    private static final Path OTHERS = Path.of("samples/benchmarks/src/main/java/dev/sluice/benchmarks/recipes");
    private static final String PAGE = "docs/recipes.md";
    /** Links to two programs, each followed by numbers: the lines, and of a recipe the limit. */
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| \\d* ?\\| \\[`(\\w+)`]\\(([^)]+)\\)[^|]* \\| (\\d+) \\| (\\d+) "
            + "\\| \\[`(\\w+)`]\\(([^)]+)\\)[^|]* \\| (\\d+) \\|$");
    private static final Map<String, Integer> MAX_LINES = new TreeMap<>(Map.ofEntries(
            Map.entry("Chat", 60),
            Map.entry("Client", 80),
            Map.entry("Copy", 35),
            Map.entry("DirectReads", 40),
            Map.entry("EpollByHand", 40),
            Map.entry("Index", 40),
            Map.entry("IoUringByHand", 40),
            Map.entry("Log", 40),
            Map.entry("ProactorEcho", 20),
            Map.entry("ProactorGroupEcho", 22),
            Map.entry("Proxy", 45),
            Map.entry("ReactorEcho", 25),
            Map.entry("ReactorGroupEcho", 27),
            Map.entry("Shedding", 40),
            Map.entry("Timers", 15),
            Map.entry("UdpEcho", 30)));

    @Test
    void eachHasAtMostTheLinesThatItMay() throws IOException {
        Map<String, Long> found = lines(RECIPES);
        found.forEach((name, lines) ->
                assertTrue(lines <= MAX_LINES.getOrDefault(name, 0), () -> name + " has " + lines + " lines"));
        assertEquals(MAX_LINES.keySet(), found.keySet());
    }

    @Test
    void theGuideSaysHowManyLinesEachHas() throws IOException {
        Map<String, Long> recipes = lines(RECIPES);
        Map<String, Long> others = lines(OTHERS);
        List<String> expected = new ArrayList<>();
        List<String> shown = new ArrayList<>();
        Set<String> shownRecipes = new TreeSet<>();
        Set<String> shownOthers = new TreeSet<>();
        for (MatchResult row : rows()) {
            shown.add(row.group());
            String recipe = row.group(1);
            String other = row.group(5);
            shownRecipes.add(recipe);
            shownOthers.add(other);
            expected.add(row.group().replaceFirst("\\| \\d+ \\| \\d+ \\|",
                    "| " + recipes.get(recipe) + " | " + MAX_LINES.get(recipe) + " |")
                    .replaceFirst("\\d+ \\|$", others.get(other) + " |"));
            assertEquals("../" + RECIPES.resolve(recipe + ".java"), row.group(2));
            assertEquals("../" + OTHERS.resolve(other + ".java"), row.group(6));
        }
        assertEquals(String.join("\n", expected), String.join("\n", shown));
        assertEquals(recipes.keySet(), shownRecipes);
        assertEquals(others.keySet(), shownOthers);
    }

    private static List<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(Repository.root().resolve(PAGE))).results().toList();
    }

    /** {@return the programs in a folder, and the lines of each} */
    private static Map<String, Long> lines(Path folder) throws IOException {
        Map<String, Long> lines = new TreeMap<>();
        try (Stream<Path> files = Files.list(Repository.root().resolve(folder))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                if (!name.equals("package-info")) {
                    lines.put(name, Files.readAllLines(file).stream().dropWhile(line -> !line.startsWith("public "))
                            .filter(line -> !line.isBlank()).count());
                }
            }
        }
        return lines;
    }
}
