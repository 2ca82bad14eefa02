package dev.sluice.campaign.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.campaign.Campaign;
import dev.sluice.eventloop.Closable;
import dev.sluice.eventloop.HandleSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Whatever is closed without heap, native memory or stack, at whichever depth: the next close ends, each end has been
 * reported once, and nothing is left behind.
 */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class ScarceCloseCampaignTest {

    private static final int ROUNDS = Campaign.count(12, 4_000);
    private static final int KINDS = Campaign.count(3, Integer.MAX_VALUE);

    private final Campaign campaign = Campaign.begin("closes without memory or stack");

    @Test
    void theNextCloseEnds() throws Exception {
        List<String> all = Arrays.stream(Closable.Kind.values())
                .flatMap(kind -> HandleSet.usable(kind.mode).stream().map(HandleSet::demultiplexer).distinct()
                        .map(name -> ScarceClose.argument(kind, name)))
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(all, campaign.random(0));
        List<String> arguments = all.subList(0, Math.min(all.size(), KINDS));
        try (ScarceJvm jvm = new ScarceJvm(ScarceClose.class, withSeed(arguments))) {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    assertEquals(ScarceClose.IN_ORDER, jvm.line());
                } catch (AssertionError e) {
                    throw new AssertionError(campaign + ", round " + i + "\n" + outputOf(jvm), e);
                }
            }
            jvm.awaitEnd();
        }
    }

    private List<String> withSeed(List<String> kinds) {
        String[] all = new String[kinds.size() + 2];
        all[0] = Long.toString(campaign.seed());
        all[1] = Integer.toString(ROUNDS);
        for (int i = 0; i < kinds.size(); i++) {
            all[i + 2] = kinds.get(i);
        }
        return List.of(all);
    }

    private static String outputOf(ScarceJvm jvm) throws InterruptedException {
        try {
            return jvm.output();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
