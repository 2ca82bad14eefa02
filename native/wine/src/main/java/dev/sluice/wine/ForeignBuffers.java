package dev.sluice.wine;

import java.util.Map;
import java.util.TreeMap;

/**
 * Where the direct buffers are whose addresses have been asked for and that do not lie in the region. Nobody says when
 * such memory is given back, so that an address of a buffer that is gone is not found out; any other wrong pointer is.
 * Ranges that touch unite, which bounds their number.
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
