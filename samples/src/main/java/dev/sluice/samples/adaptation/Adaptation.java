package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileWays;
import java.util.Set;

/**
 * A state of a service that adapts: the setting in force, and since when a change has been asked for. Immutable; the
 * next state depends on this one and on a sample, and on nothing else.
 *
 * @param configured where it began; it never has fewer open files than that
 * @param pinned     what is not adapted
 * @param setting    in force
 * @param shortage   since when the cache has been too small, or too large
 * @param locality   since when other ways have suited the files
 */
public record Adaptation(Setting configured, Set<Adaptable> pinned, Setting setting, Row shortage, Row locality) {

    /** How many times as many open files, or threads of a pool, as were configured there are at most. */
    public static final int MOST_TIMES = 8;

    private static final int MANY_HITS = 900;
    private static final int FEW_HITS = 700;
    /** Replies that are smaller on average are worth mapping: measured, they never travel much slower so. */
    private static final long SMALL_REPLY = 512 * 1024;
    private static final long LARGE_REPLY = 1024 * 1024;

    /**
     * Begins.
     *
     * @param configured what there is at first
     * @param pinned     what is not adapted
     * @return the first state
     */
    public static Adaptation begin(Setting configured, Set<Adaptable> pinned) {
        return new Adaptation(configured, Set.copyOf(pinned), configured, Row.NONE, Row.NONE);
    }

    /**
     * Looks at a sample.
     *
     * @param sample of the time in which this state's setting was in force
     * @return the next state, with another setting if one has been asked for often enough
     */
    public Adaptation next(LoadSample sample) {
        Row lacking = shortage.next(wants(Adaptable.CACHE) ? shortage(sample) : 0);
        FileWays better = wants(Adaptable.FILES) ? ways(sample) : setting.ways();
        // What cannot be told interrupts no row: a server that is asked for something now and then adapts, too.
        Row suited = better == null ? locality : locality.next(better.equals(setting.ways()) ? 0 : -1);
        Setting next = new Setting(lacking.changed(setting.openFiles(), configured.openFiles()),
                suited.isDue() ? better : setting.ways());
        return new Adaptation(configured, pinned, next, lacking.rest(), suited.rest());
    }

    private boolean wants(Adaptable part) {
        return !pinned.contains(part);
    }

    private int shortage(LoadSample sample) {
        if (sample.evictions() > 0 && sample.hitRate() >= 0 && sample.hitRate() < MANY_HITS) {
            return setting.openFiles() < MOST_TIMES * configured.openFiles() ? 1 : 0;
        }
        return 4 * sample.entries() < setting.openFiles() && setting.openFiles() > configured.openFiles() ? -1 : 0;
    }

    /** What would suit what was asked for; between the limits, what there is; null if too little was asked for. */
    private FileWays ways(LoadSample sample) {
        int rate = sample.hitRate();
        long mean = sample.meanReply();
        if (rate < 0 || mean < 0) {
            return null;
        }
        FileIo small = rate >= MANY_HITS ? FileIo.MMAP : rate < FEW_HITS ? FileIo.READ : setting.ways().small();
        FileIo large = rate >= MANY_HITS && mean < SMALL_REPLY ? FileIo.MMAP
                : rate < FEW_HITS || mean >= LARGE_REPLY ? FileIo.TRANSMIT : setting.ways().large();
        return new FileWays(small, large);
    }
}
