package dev.sluice.proactor;

import dev.sluice.campaign.Campaign;
import dev.sluice.campaign.RandomScripts;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.LeakChecked;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scripts against a model that knows what may happen: each operation completes once, with an error only where
 * something was broken; bytes come in order and once; in the end nothing is left.
 */
@Tag(Campaign.TAG)
class RandomProactorTest extends LeakChecked {

    static Stream<String> demultiplexers() {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == Mechanism.Mode.ASYNCHRONOUS
                        && factory.availability().usable())
                .map(Mechanism::name);
    }

    @ParameterizedTest
    @MethodSource("demultiplexers")
    void doesNothingThatTheModelDoesNotKnow(String demultiplexer) throws Exception {
        RandomScripts.play(Campaign.begin("random model of a proactor on " + demultiplexer),
                Campaign.count(20, 10_000), Step::script, script -> {
                    try (ModelScene scene = new ModelScene(demultiplexer)) {
                        scene.play(script);
                    }
                });
    }
}
