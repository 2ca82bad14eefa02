package dev.sluice.campaign.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.Mechanism;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays every scenario on every demultiplexer that is made for it, with every fault, in the short form on some of
 * them with some faults that the seed chooses. {@code -Dsluice.faults.scenario},
 * {@code -Dsluice.faults.demultiplexer} and {@code -Dsluice.faults.fault} narrow it down to what a failure names.
 */
@Tag(Campaign.TAG)
class FaultCampaignTest {

    private static final String SCENARIO = "sluice.faults.scenario";
    private static final String DEMULTIPLEXER = "sluice.faults.demultiplexer";
    private static final String FAULT = "sluice.faults.fault";

    private static final int SHORT = 2;
    /** After so many nothing new is to be expected of the rest. */
    private static final int ENOUGH_FAILURES = 12;

    private static Campaign campaign;
    private static FaultyCalls calls;
    private static Rehearsals rehearsals;

    @TempDir
    private Path directory;

    @BeforeAll
    static void begin() {
        campaign = Campaign.begin("a fault in the n-th call");
        calls = new FaultyCalls(Bindings.current());
        rehearsals = new Rehearsals(calls);
    }

    @AfterAll
    static void end() {
        rehearsals.close();
    }

    static Stream<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        List<Scenario> scenarios =
                Stream.of(ReactorScenarios.ALL.stream(), ProactorScenarios.ALL.stream(), NameScenario.here(),
                        Stream.of(TransferScenario.SCENARIO)).flatMap(each -> each).toList();
        for (Scenario scenario : scenarios) {
            if (isWanted(SCENARIO, scenario.name())) {
                List<String> names = new ArrayList<>(Mechanism.available().stream()
                        .filter(factory -> factory.mode() == scenario.mode() && factory.availability().usable())
                        .map(Mechanism::name)
                        .filter(name -> isWanted(DEMULTIPLEXER, name)).toList());
                // In the short form the scenarios take the demultiplexers by turns.
                Collections.rotate(names, -SHORT * scenarios.indexOf(scenario));
                names.stream().limit(Campaign.count(SHORT, Integer.MAX_VALUE))
                        .forEach(name -> pairs.add(Arguments.of(scenario, name)));
            }
        }
        return pairs.stream();
    }

    private static boolean isWanted(String property, String name) {
        String wanted = System.getProperty(property, "");
        return wanted.isEmpty() || List.of(wanted.split(",")).contains(name);
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("pairs")
    void allIsInOrderAfterwards(Scenario scenario, String demultiplexer) throws Exception {
        assumeTrue(Platform.CURRENT.os() == Platform.Os.LINUX || Platform.CURRENT.os() == Platform.Os.WINDOWS,
                "the errors are those of Linux and of Windows");
        // What is there for the rest of the process from its first use on, such as the memory of a thread.
        rehearsals.prepare(scenario, demultiplexer, directory);
        List<String> failures = new ArrayList<>(rehearsals.play(scenario, demultiplexer, null, directory));
        assertEquals(List.of(), failures, () -> scenario + " on " + demultiplexer + ", in peace");
        List<Fault> faults = chosen(scenario, demultiplexer);
        int failed = 0;
        for (Fault fault : faults) {
            List<String> problems = rehearsals.play(scenario, demultiplexer, fault, directory);
            if (!problems.isEmpty()) {
                failures.add("-D" + SCENARIO + "=" + scenario + " -D" + DEMULTIPLEXER + "=" + demultiplexer + " -D"
                        + FAULT + "=" + fault + " (" + Bindings.current() + "): " + String.join("\n    ", problems));
                if (++failed == ENOUGH_FAILURES) {
                    break;
                }
            }
        }
        System.out.println(scenario + " on " + demultiplexer + " (" + Bindings.current() + "): " + faults.size()
                + " faults, " + failed + " failures");
        assertEquals("", String.join("\n", failures), campaign.toString());
    }

    private static List<Fault> chosen(Scenario scenario, String demultiplexer) {
        String wanted = System.getProperty(FAULT, "");
        if (!wanted.isEmpty()) {
            return Stream.of(wanted.split(",")).map(Fault::parse).toList();
        }
        List<Fault> faults = InjectedErrors.faults(calls.counts(), demultiplexer.endsWith("-edge"));
        Collections.shuffle(faults, campaign.random((scenario + demultiplexer).hashCode()));
        return faults.subList(0, Math.min(faults.size(), Campaign.count(SHORT, Integer.MAX_VALUE)));
    }
}
