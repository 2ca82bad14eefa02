package dev.sluice.samples.levels;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The configuration of a service level.
 *
 * @param name     for messages
 * @param threads  that wait and work for it
 * @param priority of these threads, from {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
 */
record Level(String name, int threads, int priority) {

    /** One for each of its event sources: fewer would take turns between them, and look for events periodically. */
    static final int MIN_THREADS = 2;
    static final int MAX_THREADS = 256;

    private static final Pattern FORM = Pattern.compile("([a-z]+)=(\\d{1,3})(?:@(\\d{1,2}))?");

    /** {@return what a text like {@code gold=4@10} means; null if nothing} */
    static Level parse(String text) {
        Matcher level = FORM.matcher(text);
        if (!level.matches()) {
            return null;
        }
        int threads = Integer.parseInt(level.group(2));
        int priority = level.group(3) == null ? Thread.NORM_PRIORITY : Integer.parseInt(level.group(3));
        boolean possible = threads >= MIN_THREADS && threads <= MAX_THREADS && priority >= Thread.MIN_PRIORITY
                && priority <= Thread.MAX_PRIORITY;
        return possible ? new Level(level.group(1), threads, priority) : null;
    }
}
