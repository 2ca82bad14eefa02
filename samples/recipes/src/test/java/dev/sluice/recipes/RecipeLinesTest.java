package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A recipe has to stay short. Its lines count from that of its class, without those that are empty. */
class RecipeLinesTest {

    private static final Path FOLDER = Repository.root().resolve("samples/recipes/src/main/java/dev/sluice/recipes");
    private static final Map<String, Integer> MAX_LINES = new TreeMap<>(Map.ofEntries(
            Map.entry("Chat", 60),
            Map.entry("Client", 80),
            Map.entry("EpollByHand", 40),
            Map.entry("IoUringByHand", 40),
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
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                if (!name.equals("package-info")) {
                    found.add(name);
                    long lines = lines(file);
                    assertTrue(lines <= MAX_LINES.getOrDefault(name, 0), () -> name + " has " + lines + " lines");
                }
            }
        }
        assertEquals(MAX_LINES.keySet(), found);
    }

    private static long lines(Path file) throws IOException {
        List<String> all = Files.readAllLines(file);
        return all.stream().dropWhile(line -> !line.startsWith("public "))
                .filter(line -> !line.isBlank()).collect(Collectors.counting());
    }
}
