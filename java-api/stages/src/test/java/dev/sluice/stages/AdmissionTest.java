package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Token bucket, random early detection, credits, and the rate controller, each by a clock and a chance of the test. */
@Tag(Depth.IN_QUICK)
class AdmissionTest {

    private long now = -5;
    private double chance;

    private static int admitted(Admission<String> admission, int attempts) {
        int count = 0;
        for (int i = 0; i < attempts; i++) {
            count += admission.admit("event", 1) ? 1 : 0;
        }
        return count;
    }

    @Test
    void tokensComeAtTheRateUpToTheBurst() {
        TokenBucket<String> bucket = new TokenBucket<>(10, 3, () -> now);
        assertEquals(10, bucket.rate());
        assertEquals(3, bucket.burst());
        assertEquals(3, admitted(bucket, 5));
        now += Samples.SECOND / 10 - 1;
        assertEquals(0, admitted(bucket, 5));
        now += 1;
        assertEquals(1, admitted(bucket, 5));
        bucket.undo("event");
        assertEquals(1, admitted(bucket, 5));
        now += 100 * Samples.SECOND;
        assertEquals(3, admitted(bucket, 5));
    }

    @Test
    void tokensStayWhenTheRateChanges() {
        TokenBucket<String> bucket = new TokenBucket<>(10, 4, () -> now);
        assertEquals(2, admitted(bucket, 2));
        bucket.setRate(1000);
        assertEquals(2, admitted(bucket, 5));
        bucket.setRate(1);
        now += Samples.SECOND;
        assertEquals(1, admitted(bucket, 5));
        bucket.setRate(1e-30);
        now += Samples.SECOND;
        assertEquals(0, admitted(bucket, 5));
    }

    @Test
    void aBurstOfAnySizeIsPossible() {
        TokenBucket<String> bucket = new TokenBucket<>(1e-30, Integer.MAX_VALUE, () -> now);
        assertEquals(100, admitted(bucket, 100));
        bucket = new TokenBucket<>(Double.MAX_VALUE, Integer.MAX_VALUE, () -> now);
        assertEquals(100, admitted(bucket, 100));
    }

    @Test
    void chanceRefusesMoreTheLongerTheQueueIs() {
        RandomEarlyDetection<String> red = new RandomEarlyDetection<>(10, 30, () -> chance);
        chance = 0;
        assertTrue(admitsAtAverage(red, 10));
        assertFalse(admitsAtAverage(red, 11));
        // Half way, it is half of the probability, a tenth.
        chance = 0.0501;
        assertTrue(admitsAtAverage(red, 20));
        chance = 0.0499;
        assertFalse(admitsAtAverage(red, 20));
        chance = 0.9999;
        assertTrue(admitsAtAverage(red, 29));
        assertFalse(admitsAtAverage(red, 31));
    }

    private static boolean admitsAtAverage(RandomEarlyDetection<String> red, int found) {
        boolean admitted = false;
        for (int i = 0; i < 1000; i++) {
            admitted = red.admit("event", found + 1);
        }
        return admitted;
    }

    @Test
    void shortBurstsGetThrough() {
        RandomEarlyDetection<String> red = new RandomEarlyDetection<>(10, 30, () -> chance);
        chance = 0;
        for (int i = 0; i < 10; i++) {
            assertTrue(red.admit("event", 1 + i));
        }
        for (int i = 0; i < 3; i++) {
            assertTrue(red.admit("event", 31));
        }
        assertTrue(red.average() > 2 && red.average() < 5, () -> "average " + red.average());
        for (int i = 0; i < 100; i++) {
            red.admit("event", 101);
        }
        assertFalse(red.admit("event", 101));
        assertTrue(red.admit("event", 1));
        assertEquals(0, red.average());
    }

    @Test
    void creditsComeBack() {
        Credits<String> credits = new Credits<>(10, String::length);
        assertTrue(credits.admit("123456", 1));
        assertFalse(credits.admit("12345", 1));
        assertTrue(credits.admit("1234", 1));
        assertTrue(credits.admit("", 1));
        assertEquals(0, credits.available());
        credits.onDone("123456");
        assertEquals(6, credits.available());
        assertEquals(10, credits.total());
        assertFalse(credits.admit("much more than there is", 1));
        assertThrows(IllegalArgumentException.class, () -> new Credits<String>(1, event -> -1).admit("event", 1));
    }

    @Test
    void readsArePostponedForAsLongAsTheRateWants() {
        RateController rate = new RateController(10, 5);
        assertEquals(0, rate.postponement(5, now));
        assertEquals(Samples.SECOND / 10, rate.postponement(1, now));
        now += Samples.SECOND / 10;
        assertEquals(0, rate.postponement(0, now));
        assertEquals(3 * Samples.SECOND, rate.postponement(30, now));
        now += 100 * Samples.SECOND;
        assertEquals(0, rate.postponement(5, now));
        assertEquals(Samples.SECOND / 10, rate.postponement(1, now));
    }

    @Test
    void refuseWhatIsOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket<String>(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket<String>(Double.NaN, 1));
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket<String>(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new TokenBucket<String>(1, 1).setRate(-1));
        assertThrows(IllegalArgumentException.class, () -> new RandomEarlyDetection<String>(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> new RandomEarlyDetection<String>(1, 1));
        assertThrows(IllegalArgumentException.class, () -> new Credits<String>(0, event -> 1));
        assertThrows(IllegalArgumentException.class, () -> new RateController(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new RateController(1, 0));
    }
}
