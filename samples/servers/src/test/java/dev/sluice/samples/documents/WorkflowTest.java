package dev.sluice.samples.documents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workflows contain no error that actionlint finds: {@code .ci/actionlint} builds it. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class WorkflowTest {

    private static final String BUILD = "build.yml";

    private static Path program;

    @BeforeAll
    static void findProgram() throws Exception {
        ExternalProgram script = ExternalProgram.run(List.of("bash",
                Repository.root().resolve(".ci/actionlint").toString(), "--if-built"));
        assumeTrue(script.exitCode() == 0, script.errors().strip());
        program = Path.of(script.text().strip());
    }

    private static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(Repository.root().resolve(".github/workflows"))) {
            return files.sorted().toList();
        }
    }

    /** {@return its lines, one for each error} The programs that it may call are not on every machine. */
    private static List<String> complaints(List<Path> workflows) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-oneline", "-no-color", "-shellcheck=",
                "-pyflakes="));
        workflows.forEach(workflow -> command.add(workflow.toString()));
        ExternalProgram run = ExternalProgram.run(command);
        List<String> lines = run.text().lines().toList();
        // Anything else is no answer, such as a file that cannot be read.
        assertEquals(lines.isEmpty() ? 0 : 1, run.exitCode(), run::errors);
        return lines;
    }

    @Test
    void workflowsHaveNoErrors() throws Exception {
        List<Path> workflows = workflows();
        assertTrue(workflows.stream().anyMatch(workflow -> workflow.endsWith(BUILD)), workflows::toString);
        assertEquals(List.of(), complaints(workflows));
    }

    /** Mistakes of the kinds that nothing else would show before the workflow runs. */
    @ParameterizedTest
    @CsvSource({
        "runner: macos-15-intel, runner: macos-15-itanium, macos-15-itanium",
        "java-version:, java-versions:, java-versions",
        "matrix.cpu, matrix.gpu, gpu",
        "steps.newest.outputs.path, steps.oldest.outputs.path, oldest",
        "timeout-minutes:, timeout-seconds:, timeout-seconds"
    })
    void mistakeIsFound(String right, String wrong, String named, @TempDir Path directory) throws Exception {
        String text = Files.readString(Repository.root().resolve(".github/workflows").resolve(BUILD));
        assertTrue(text.contains(right), right);
        Path workflow = Files.write(directory.resolve(BUILD), text.replace(right, wrong).getBytes(UTF_8));
        List<String> complaints = complaints(List.of(workflow));
        assertTrue(complaints.stream().anyMatch(line -> line.contains(named)), complaints::toString);
    }
}
