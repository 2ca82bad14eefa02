package dev.sluice.samples.doctor;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The processor, as Linux and Windows describe it. */
final class Processor {

    private static final Path DESCRIPTION = Path.of("/proc/cpuinfo");

    private Processor() {
    }

    /** {@return its name, or the numbers that identify it; empty if it is unknown} */
    static Optional<String> model() {
        return model(DESCRIPTION).or(() -> Optional.ofNullable(System.getenv("PROCESSOR_IDENTIFIER")));
    }

    static Optional<String> model(Path description) {
        Map<String, String> fields = firstBlock(description);
        Optional<String> name = Optional.ofNullable(fields.get("model name"));
        // 64-bit ARM has numbers only, which lscpu(1) maps to names.
        Optional<String> implementer = Optional.ofNullable(fields.get("CPU implementer"));
        return name.or(() -> implementer.map(number -> "implementer " + number + " part " + fields.get("CPU part")));
    }

    /** {@return the fields of the first processor; none if the file cannot be read} */
    private static Map<String, String> firstBlock(Path description) {
        Map<String, String> fields = new HashMap<>();
        try (BufferedReader reader = Files.newBufferedReader(description, StandardCharsets.ISO_8859_1)) {
            for (String line = reader.readLine(); line != null && !line.isBlank(); line = reader.readLine()) {
                int colon = line.indexOf(':');
                String value = line.substring(colon + 1).strip().replaceAll("\\s+", " ");
                if (colon > 0 && !value.isEmpty()) {
                    fields.put(line.substring(0, colon).strip(), value);
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return fields;
    }
}
