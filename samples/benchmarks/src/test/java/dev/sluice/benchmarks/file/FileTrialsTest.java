package dev.sluice.benchmarks.file;

import static dev.sluice.benchmarks.file.Contestants.CHANNEL_LOG;
import static dev.sluice.benchmarks.file.Contestants.LOG;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which contestants are measured at which scale. */
class FileTrialsTest {

    @TempDir
    private Path directory;

    private List<Trial> trials(Scale scale) {
        return new FileTrials(scale, new Host(directory), new TrialFiles(directory), Map.of(), Set.of(), false).all();
    }

    @ParameterizedTest
    @EnumSource
    void bothLogsAreInEachScenarioOfAppends(Scale scale) {
        Map<String, Set<String>> contestants = trials(scale).stream()
                .filter(trial -> trial.scenario().matches("\\d+ threads?"))
                .collect(Collectors.groupingBy(Trial::scenario,
                        Collectors.mapping(Trial::contestant, Collectors.toSet())));
        assertFalse(contestants.isEmpty());
        contestants.forEach((scenario, names) -> assertTrue(names.containsAll(List.of(LOG, CHANNEL_LOG)),
                () -> scenario + ": " + names));
    }

    /** A target of a scenario that is not measured is not shown. */
    @ParameterizedTest
    @EnumSource(names = {"QUICK", "FULL"})
    void logIsMeasuredWhereItsTargetIs(Scale scale) {
        List<Target> targets = Questions.sections().stream().flatMap(section -> section.targets().stream())
                .filter(target -> target.contestant().equals(LOG)).toList();
        assertFalse(targets.isEmpty());
        List<Trial> trials = trials(scale);
        for (Target target : targets) {
            assertTrue(trials.stream().anyMatch(trial -> trial.contestant().equals(LOG)
                    && trial.scenario().equals(target.scenario())), target::toString);
        }
    }
}
