package dev.sluice.samples.haboob;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of the page cache.
 *
 * @param pages     the number of pages
 * @param used      bytes of its memory, by them and by what is being read or sent
 * @param maximum   bytes that it may have
 * @param hits      requests for pages that were there
 * @param misses    all others
 * @param shared    misses among them that were answered by the read of another one
 * @param evictions pages that have made room for others
 */
record PageFigures(int pages, long used, long maximum, long hits, long misses, long shared, long evictions) {

    /** {@return the figures to show, by name} */
    Map<String, Object> byName() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("pages", pages);
        figures.put("page bytes", used);
        figures.put("page hits", hits);
        figures.put("page misses", misses);
        figures.put("page misses shared", shared);
        figures.put("page evictions", evictions);
        return figures;
    }
}
