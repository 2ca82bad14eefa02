package dev.sluice.samples.logging;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a {@link SyslogParser} made of a record: places in the record's array, from which texts are made on demand.
 *
 * <p>Valid until the parser's next record, and only as long as the array keeps its content. Not thread-safe.
 */
public final class SyslogRecord {

    private static final int FIELDS = SyslogField.values().length;

    private final int[] starts = new int[FIELDS];
    private final int[] ends = new int[FIELDS];
    private byte[] array;
    private int offset;
    private SyslogFormat format;
    private int priority;
    private SyslogField culprit;
    private String complaint;
    private int complaintAt;

    SyslogRecord() {
    }

    /** What the record is. */
    public SyslogFormat format() {
        return format;
    }

    /** Facility, 0 to 23; -1 in a malformed record. */
    public int facility() {
        return priority >> 3;
    }

    /** Severity, 0 (emergency) to 7 (debug); -1 in a malformed record. */
    public int severity() {
        return priority < 0 ? -1 : priority & 7;
    }

    /** Whether the record has the field. A NILVALUE is no field. */
    public boolean has(SyslogField field) {
        return starts[field.ordinal()] >= 0;
    }

    /** Index in the record's array of the field's first octet; -1 if the record does not have it. */
    public int start(SyslogField field) {
        return starts[field.ordinal()];
    }

    /** Octets in the field; 0 if the record does not have it. */
    public int length(SyslogField field) {
        return ends[field.ordinal()] - starts[field.ordinal()];
    }

    /** The field decoded as UTF-8, with U+FFFD for what is not; null if the record does not have it. */
    public String text(SyslogField field) {
        return has(field) ? new String(array, start(field), length(field), StandardCharsets.UTF_8) : null;
    }

    /**
     * Why the record is malformed, such as {@code structured data not closed at octet 57}; null if it is not. Octets
     * count from 0, the record's first.
     */
    public String reason() {
        if (complaint == null) {
            return null;
        }
        String what = culprit == null ? complaint : culprit.label() + ' ' + complaint;
        return complaintAt < 0 ? what : what + " at octet " + (complaintAt - offset);
    }

    void begin(byte[] recordArray, int recordOffset) {
        array = recordArray;
        offset = recordOffset;
        complaint = null;
        reset(SyslogFormat.RFC3164);
    }

    byte[] array() {
        return array;
    }

    void priority(int value) {
        priority = value;
    }

    void format(SyslogFormat value) {
        format = value;
    }

    void set(SyslogField field, int start, int end) {
        starts[field.ordinal()] = start;
        ends[field.ordinal()] = end;
    }

    /** Takes back what has been filled in: nothing in a malformed record can be relied on. */
    void malformed(String why) {
        malformed(null, why, -1);
    }

    /** As {@link #malformed(String)}, blaming a field and naming the index in the array where it goes wrong. */
    void malformed(SyslogField field, String why, int at) {
        reset(SyslogFormat.MALFORMED);
        culprit = field;
        complaint = why;
        complaintAt = at;
    }

    private void reset(SyslogFormat to) {
        format = to;
        priority = -1;
        Arrays.fill(starts, -1);
        Arrays.fill(ends, -1);
    }
}
