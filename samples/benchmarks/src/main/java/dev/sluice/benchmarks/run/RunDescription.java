package dev.sluice.benchmarks.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.samples.doctor.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * The circumstances of a suite's run, which a reader needs besides its samples.
 *
 * @param command  that started it
 * @param scale    how much was measured
 * @param date     of the description, as ISO 8601 writes it
 * @param java     that everything ran on
 * @param machine  system, processor and memory, in one line
 * @param peers    the versions of programs that took part, with their names
 * @param complete whether it has come to its end
 * @param absences who did not take part: a line each
 * @param failures what could not be measured: a line each
 */
public record RunDescription(String command, Scale scale, String date, String java, String machine, List<String> peers,
        boolean complete, List<String> absences, List<String> failures) {

    /** The name of the file. */
    public static final String FILE = "run.json";

    /** Creates a description. One that was written before there were versions in it has none. */
    public RunDescription {
        peers = peers == null ? List.of() : List.copyOf(peers);
    }

    /** {@return the description of a run on this machine, today, on this Java} */
    static RunDescription now(String command, Scale scale, List<String> peers, boolean complete, List<String> absences,
            List<String> failures) {
        return new RunDescription(command, scale, LocalDate.now().toString(),
                Runtime.version() + ", " + System.getProperty("java.vm.name"), Machine.describe(), peers, complete,
                absences, failures);
    }

    /**
     * Keeps it beside the samples.
     *
     * @param directory of the suite
     * @throws IOException if it cannot be written
     */
    public void write(Path directory) throws IOException {
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(directory.resolve(FILE).toFile(), this);
    }

    /**
     * {@return what was kept, if anything was}
     *
     * @param directory of the suite
     * @throws IOException if it cannot be read
     */
    public static Optional<RunDescription> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return Files.exists(file)
                ? Optional.of(new ObjectMapper().readValue(file.toFile(), RunDescription.class))
                : Optional.empty();
    }
}
