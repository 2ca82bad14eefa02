package dev.sluice.wine;

import java.util.Map;
import java.util.TreeMap;

/**
 * The locations of direct buffers outside the region whose addresses have been asked for. There is no notice when such
 * memory is given back, so a stale address is not detected; any other wrong pointer is. Adjacent ranges are merged,
 * which limits their number.
 */
final class ForeignBuffers {

    private final TreeMap<Long, Long> ends = new TreeMap<>();

    synchronized void add(long address, long size) {
        if (contains(address, size)) {
            return;
        }
        long start = address;
        long end = address + size;
        Map.Entry<Long, Long> neighbour = ends.floorEntry(end);
        while (neighbour != null && neighbour.getValue() >= start) {
            start = Math.min(start, neighbour.getKey());
            end = Math.max(end, neighbour.getValue());
            ends.remove(neighbour.getKey());
            neighbour = ends.floorEntry(end);
        }
        ends.put(start, end);
    }

    synchronized boolean contains(long address, long length) {
        Map.Entry<Long, Long> range = ends.floorEntry(address);
        return range != null && length >= 0 && range.getValue() - address >= length;
    }
}
