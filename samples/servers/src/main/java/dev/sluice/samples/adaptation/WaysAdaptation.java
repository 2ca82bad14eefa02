package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A state of the ways to send files: the best known way for files of each class, and the running trial. Immutable.
 *
 * @param classes  by their {@link SizeClass}, in its order
 * @param tried    for files of which class other ways are tried; null if they are not
 * @param trial    of these ways; null if there is none
 * @param ended    the trial that the last sample has ended; null if it has ended none
 * @param trials   how many there have been
 * @param mappable whether files are asked for often enough to be worth mapping
 * @param contrary for how many samples in a row it was the other way round
 */
record WaysAdaptation(List<ClassAdaptation> classes, SizeClass tried, Trial trial, Trial ended, int trials,
                      boolean mappable, Row contrary) {

    private static final SizeClass[] SIZES = SizeClass.values();
    private static final int MANY_HITS = 900;
    private static final int FEW_HITS = 700;
    /** Minimum share in a thousand octets; rarer files matter little, and would have to be tried for longer. */
    private static final int MIN_SHARE = 100;

    /** Copies the list. */
    WaysAdaptation {
        classes = List.copyOf(classes);
    }

    static WaysAdaptation begin(FileWays configured) {
        return new WaysAdaptation(Stream.of(SIZES).map(each -> ClassAdaptation.begin(configured.way(each))).toList(),
                null, null, null, 0, true, Row.NONE);
    }

    /** {@return the ways to send files, without those on trial} */
    FileWays kept() {
        FileWays ways = FileWays.of(FileIo.TRANSMIT);
        for (SizeClass each : SIZES) {
            ways = ways.with(each, of(each).kept());
        }
        return ways;
    }

    /** {@return the ways to send files until the next sample} */
    FileWays inForce() {
        return trial == null ? kept() : kept().with(tried, trial.way());
    }

    private ClassAdaptation of(SizeClass size) {
        return classes.get(size.ordinal());
    }

    /**
     * {@return the next state, after a sample of the time in which {@link #inForce()} was active}
     *
     * @param free whether a trial may begin: one that is due waits until then
     */
    WaysAdaptation next(LoadSample sample, boolean free) {
        WaysAdaptation seen = look(sample.hitRate());
        Window window = Window.of(sample);
        if (seen.trial != null) {
            // Many clients with large files may get all at one time, and nothing at another.
            boolean tells = sample.travel().total() == 0 ? sample.requests() > 0
                    : window.isConclusive() && sample.travel().share(seen.tried) >= MIN_SHARE;
            return seen.proceed(tells ? seen.trial.next(window) : seen.trial.pause());
        }
        return window.isConclusive() ? seen.begin(sample.travel(), window, free) : seen;
    }

    /** Files that are requested once are not worth mapping; the hit rate shows this without a trial. */
    private WaysAdaptation look(int hitRate) {
        boolean asks = hitRate >= 0 && (mappable ? hitRate < FEW_HITS : hitRate >= MANY_HITS);
        // A sample without a hit rate does not end a row, so that a server with few requests adapts as well.
        Row row = hitRate < 0 ? contrary : contrary.next(asks ? -1 : 0);
        if (!row.isDue()) {
            return new WaysAdaptation(classes, tried, trial, null, trials, mappable, row);
        }
        boolean ends = mappable && trial != null && trial.ways().contains(FileIo.MMAP);
        return new WaysAdaptation(mappable ? classes.stream().map(WaysAdaptation::withoutMapping).toList() : classes,
                ends ? null : tried, ends ? null : trial, null, trials, !mappable,
                row.rest());
    }

    private static ClassAdaptation withoutMapping(ClassAdaptation each) {
        return each.kept() == FileIo.MMAP ? each.reset() : each;
    }

    private WaysAdaptation proceed(Trial next) {
        if (!next.isOver() && !next.isAbandoned()) {
            return new WaysAdaptation(classes, tried, next, null, trials, mappable, contrary);
        }
        return new WaysAdaptation(with(tried, of(tried).tried(next)), null, null, next, trials, mappable, contrary);
    }

    private WaysAdaptation begin(Travel travel, Window window, boolean free) {
        List<ClassAdaptation> next = new ArrayList<>(classes);
        SizeClass due = null;
        for (SizeClass each : SIZES) {
            if (travel.share(each) >= MIN_SHARE) {
                next.set(each.ordinal(), of(each).next(window));
                if (free && next.get(each.ordinal()).isDue()
                        && (due == null || travel.share(each) > travel.share(due))) {
                    due = each;
                }
            }
        }
        Trial begun = null;
        if (due != null) {
            ClassAdaptation tries = next.get(due.ordinal()).lengthened(window);
            next.set(due.ordinal(), tries);
            begun = Trial.of(candidates(due), tries.length());
        }
        return new WaysAdaptation(next, due, begun, null, begun == null ? trials : trials + 1, mappable, contrary);
    }

    private List<FileIo> candidates(SizeClass size) {
        List<FileIo> ways = new ArrayList<>(List.of(of(size).kept()));
        for (FileIo each : FileIo.values()) {
            // A small file goes together with its head, which is what makes the others slower there.
            boolean suits = each == FileIo.MMAP ? mappable : each != FileIo.TRANSMIT || size != SizeClass.SMALL;
            if (suits && !ways.contains(each)) {
                ways.add(each);
            }
        }
        return ways;
    }

    private List<ClassAdaptation> with(SizeClass size, ClassAdaptation state) {
        List<ClassAdaptation> next = new ArrayList<>(classes);
        next.set(size.ordinal(), state);
        return next;
    }
}
