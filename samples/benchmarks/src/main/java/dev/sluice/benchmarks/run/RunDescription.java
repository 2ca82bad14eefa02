package dev.sluice.benchmarks.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.sluice.samples.doctor.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;

/**
 * What a reader has to know of a run beside its samples.
 *
 * @param command  that started it
 * @param scale    how much was measured
 * @param date     when it ended, as ISO 8601 writes it
 * @param java     that everything ran on
 * @param machine  system, processor and memory, in one line
 * @param absences who did not take part: a line each
 * @param failures what could not be measured: a line each
 */
public record RunDescription(String command, Scale scale, String date, String java, String machine,
        List<String> absences, List<String> failures) {

    private static final String FILE = "run.json";

    /**
     * {@return the description of a run that ends now}
     *
     * @param command that started it
     * @param scale   of it
     * @param session has run it
     */
    public static RunDescription of(String command, Scale scale, Session session) {
        return new RunDescription(command, scale, LocalDate.now().toString(),
                Runtime.version() + ", " + System.getProperty("java.vm.name"), Machine.describe(),
                session.absences(), session.failures());
    }

    /**
     * Keeps it beside the samples.
     *
     * @param directory of the run
     * @throws IOException if it cannot be written
     */
    public void write(Path directory) throws IOException {
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(directory.resolve(FILE).toFile(), this);
    }

    /**
     * {@return what was kept}
     *
     * @param directory of the run
     * @throws IOException if there is none, or it cannot be read
     */
    public static RunDescription read(Path directory) throws IOException {
        return new ObjectMapper().readValue(directory.resolve(FILE).toFile(), RunDescription.class);
    }
}
