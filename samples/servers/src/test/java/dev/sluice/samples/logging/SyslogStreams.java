package dev.sluice.samples.logging;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.campaign.Cuts;
import dev.sluice.campaign.FuzzTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What comes over TCP: framed the same wherever it is cut, and as the reference frames it. */
final class SyslogStreams implements FuzzTarget {

    private static final int SMALL_RECORD = 12;

    @Override
    public void check(byte[] input) {
        String stream = new String(input, ISO_8859_1);
        Random random = new Random(Arrays.hashCode(input));
        int maximum = random.nextInt(4) > 0 ? SMALL_RECORD : SyslogFramer.DEFAULT_MAX_RECORD;
        int[] cuts = Cuts.of(input, random);
        if (random.nextBoolean()) {
            List<String> expected = FramingReference.events(stream, maximum, false);
            assertEquals(expected, FramerEvents.of(maximum, stream, ChunkKind.HEAP));
            assertEquals(expected, FramerEvents.of(maximum, stream, ChunkKind.READ_ONLY, cuts));
        } else {
            List<String> expected = FramingReference.events(stream, maximum, true);
            assertEquals(expected, FramerEvents.ofBroken(maximum, stream, ChunkKind.READ_ONLY));
            assertEquals(expected, FramerEvents.ofBroken(maximum, stream, ChunkKind.SLICE, cuts));
        }
    }
}
