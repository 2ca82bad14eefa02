package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileWays;
import java.util.Set;

/**
 * A state of a service that adapts: the setting that has been decided on, and what has been seen since. Immutable; the
 * next state depends on this one and on a sample, and on nothing else.
 *
 * @param configured where it began; it never has fewer open files than that
 * @param pinned     what is not adapted
 * @param setting    decided on
 * @param shortage   since when the cache has been too small, or too large
 * @param travel     which way has turned out to be better for which files
 */
public record Adaptation(Setting configured, Set<Adaptable> pinned, Setting setting, Row shortage,
                         WaysAdaptation travel) {

    /** How many times as many open files, or threads of a pool, as were configured there are at most. */
    public static final int MAX_TIMES = 8;

    private static final int MANY_HITS = 900;

    /**
     * Begins.
     *
     * @param configured what there is at first
     * @param pinned     what is not adapted
     * @return the first state
     */
    public static Adaptation begin(Setting configured, Set<Adaptable> pinned) {
        return new Adaptation(configured, Set.copyOf(pinned), configured, Row.NONE,
                WaysAdaptation.begin(configured.ways()));
    }

    /**
     * Looks at a sample.
     *
     * @param sample of the time in which this state's setting and {@link #inForce()} were active
     * @param free   whether nothing else is being tried that would change how much is done
     * @return the next state, with another setting if one has been asked for often enough, or has proved to be better
     */
    Adaptation next(LoadSample sample, boolean free) {
        Row lacking = shortage.next(wants(Adaptable.CACHE) ? shortage(sample) : 0);
        WaysAdaptation travelling = wants(Adaptable.FILES) ? travel.next(sample, free) : travel;
        Setting next = new Setting(lacking.changed(setting.openFiles(), configured.openFiles()), travelling.kept());
        return new Adaptation(configured, pinned, next, lacking.rest(), travelling);
    }

    /** {@return how files are to travel until the next sample: as has been decided, but for what is tried just now} */
    public FileWays inForce() {
        return travel.inForce();
    }

    /** {@return whether something is tried just now} */
    boolean isOnTrial() {
        return travel.trial() != null;
    }

    /** {@return what is tried just now, for example {@code large by mmap}; nothing if nothing is} */
    public String tried() {
        return !isOnTrial() ? "" : travel.tried() + " by " + travel.trial().way();
    }

    /**
     * {@return what has come of the trial that the last sample has ended, for example {@code transmit 1200, mmap 1400}:
     * MB/s of each way, to which each reply adds a little; nothing if it has ended none}
     */
    public String outcome() {
        return travel.ended() == null ? "" : travel.ended().toString();
    }

    /** {@return how often other ways have been tried, with the trial that is going on} */
    public int trials() {
        return travel.trials();
    }

    private boolean wants(Adaptable part) {
        return !pinned.contains(part);
    }

    private int shortage(LoadSample sample) {
        if (sample.evictions() > 0 && sample.hitRate() >= 0 && sample.hitRate() < MANY_HITS) {
            return setting.openFiles() < MAX_TIMES * configured.openFiles() ? 1 : 0;
        }
        return 4 * sample.entries() < setting.openFiles() && setting.openFiles() > configured.openFiles() ? -1 : 0;
    }
}
