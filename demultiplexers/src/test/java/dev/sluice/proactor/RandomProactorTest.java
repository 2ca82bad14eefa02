package dev.sluice.proactor;

import dev.sluice.campaign.Campaign;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.OpenDescriptors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scripts against a model that knows what may happen: each operation completes once, with an error only where
 * something was broken; bytes come in order and once; in the end nothing is left.
 */
@Tag(Campaign.TAG)
@Tag("one-binding")
class RandomProactorTest extends LeakChecked {

    /** A failure that comes and goes has to show itself so often, at least once, to count for the shrinking. */
    private static final int ATTEMPTS = 3;

    static Stream<String> demultiplexers() {
        return Demultiplexers.available().stream()
                .filter(factory -> factory.mode() == DemultiplexerFactory.Mode.ASYNCHRONOUS
                        && factory.availability().usable())
                .map(DemultiplexerFactory::name);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void doesNothingThatTheModelDoesNotKnow(String demultiplexer) throws Exception {
        Campaign campaign = Campaign.begin("random model of a proactor on " + demultiplexer);
        for (int run = 0; run < Campaign.count(60, 20_000); run++) {
            List<Step> script = Step.script(campaign.random(run));
            Throwable failure = failure(demultiplexer, script);
            if (failure != null) {
                List<Step> shortest = shortest(demultiplexer, script);
                Throwable last = failure(demultiplexer, shortest);
                throw new AssertionError(campaign + ", run " + run + ": " + failure + "\nThe shortest script, of "
                        + script.size() + " steps:\n" + text(shortest), last == null ? failure : last);
            }
        }
    }

    private static String text(List<Step> script) {
        return script.stream().map(Step::toString).collect(Collectors.joining("\n"));
    }

    private static Throwable failure(String demultiplexer, List<Step> script) throws Exception {
        OpenDescriptors before = OpenDescriptors.now();
        try (ModelScene scene = new ModelScene(demultiplexer)) {
            scene.play(script);
        } catch (Throwable e) {
            return e;
        }
        String leaked = OpenDescriptors.now().without(before);
        return leaked.isEmpty() ? null : new AssertionError("descriptors that leaked: " + leaked);
    }

    /** Leaves out ever fewer steps at once for as long as what is left fails. */
    private static List<Step> shortest(String demultiplexer, List<Step> script) throws Exception {
        List<Step> shortest = script;
        for (int part = Math.max(1, script.size() / 2); part > 0; part /= 2) {
            for (int from = 0; from + part <= shortest.size();) {
                List<Step> shorter = new ArrayList<>(shortest.subList(0, from));
                shorter.addAll(shortest.subList(from + part, shortest.size()));
                if (fails(demultiplexer, shorter)) {
                    shortest = shorter;
                } else {
                    from += part;
                }
            }
        }
        return shortest;
    }

    private static boolean fails(String demultiplexer, List<Step> script) throws Exception {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (failure(demultiplexer, script) != null) {
                return true;
            }
        }
        return false;
    }
}
