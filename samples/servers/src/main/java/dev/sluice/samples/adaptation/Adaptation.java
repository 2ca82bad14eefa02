package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileWays;
import java.util.Set;

/**
 * A state of an adaptive service: its current setting, and the observations since it was chosen. Immutable; the next
 * state depends only on this one and on a sample.
 *
 * @param configured the initial setting; the number of open files never falls below it
 * @param pinned     the settings that are not adapted
 * @param setting    the current setting @param shortage the number of consecutive samples in which the cache was too
 *                   small, or too large
 * @param travel     the best known ways to send files
 */
public record Adaptation(Setting configured, Set<Adaptable> pinned, Setting setting, Row shortage,
                         WaysAdaptation travel) {

    /** Maximum number of open files, and of threads of a pool, as a multiple of the configured number. */
    public static final int MAX_TIMES = 8;

    private static final int MANY_HITS = 900;

    /**
     * Returns the first state.
     *
     * @param configured the initial setting
     * @param pinned     the settings that are not adapted
     * @return the first state
     */
    public static Adaptation begin(Setting configured, Set<Adaptable> pinned) {
        return new Adaptation(configured, Set.copyOf(pinned), configured, Row.NONE,
                WaysAdaptation.begin(configured.ways()));
    }

    /**
     * Processes a sample.
     *
     * @param sample of the time in which this state's setting and {@link #inForce()} were active
     * @param free   whether no other experiment that would affect throughput is running
     * @return the next state, with another setting if enough samples have requested one, or if a trial has shown it to
     *         be better
     */
    Adaptation next(LoadSample sample, boolean free) {
        Row lacking = shortage.next(wants(Adaptable.CACHE) ? shortage(sample) : 0);
        WaysAdaptation travelling = wants(Adaptable.FILES) ? travel.next(sample, free) : travel;
        Setting next = new Setting(lacking.changed(setting.openFiles(), configured.openFiles()), travelling.kept());
        return new Adaptation(configured, pinned, next, lacking.rest(), travelling);
    }

    /** {@return the ways to send files until the next sample: the current setting, or the one on trial} */
    public FileWays inForce() {
        return travel.inForce();
    }

    /** {@return whether a trial is running} */
    boolean isOnTrial() {
        return travel.trial() != null;
    }

    /** {@return a description of the running trial, for example {@code large by mmap}; empty if there is none} */
    public String tried() {
        return !isOnTrial() ? "" : travel.tried() + " by " + travel.trial().way();
    }

    /**
     * {@return the result of the trial that the last sample has ended, for example {@code transmit 1200, mmap 1400}:
     * MB/s of each way, to which each reply adds a little; empty if it has ended none}
     */
    public String outcome() {
        return travel.ended() == null ? "" : travel.ended().toString();
    }

    /** {@return the number of trials of other ways, including the running one} */
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
