package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.campaign.Cuts;
import dev.sluice.campaign.FuzzTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What a client sends: seen the same wherever it is cut, and as the reference sees it. */
final class HttpRequests implements FuzzTarget {

    private static final Limits SMALL = new Limits(60, 150, 6, 40);

    @Override
    public void check(byte[] input) {
        Random random = new Random(Arrays.hashCode(input));
        Limits limits = random.nextBoolean() ? SMALL : Limits.DEFAULT;
        List<String> expected = HttpReference.events(new String(input, ISO_8859_1), limits);
        assertEquals(expected, ParserEvents.of(input, limits));
        assertEquals(expected, ParserEvents.of(input, limits, Cuts.of(input, random)));
    }
}
