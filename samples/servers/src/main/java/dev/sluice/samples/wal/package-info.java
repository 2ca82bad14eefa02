/**
 * A write-ahead log with group commit: {@link dev.sluice.samples.wal.WriteAheadLog}. Many threads append, and each
 * append returns when its record is on the disk. While one group of records is written and forced, the records of other
 * threads make up the next group.
 *
 * <p><b>Which thread writes.</b> A platform thread that would wait for its group, while none is being written, writes
 * and forces it itself, by two calls. So a thread that appends alone waits for no other thread, unless the next segment
 * is late. A virtual thread would keep its carrier during these calls: it lets a Proactor write and force the group by
 * one operation, and parks. The thread that has written a group wakes one of those that wait for the next group, and
 * then those of its own. Usually another append begins sooner than that thread runs, and writes the next group without
 * waiting for it. The Proactor continues by itself as long as there are records, those of platform threads included.
 *
 * <p>The log is a directory of segments, files of a fixed length that are filled with zeros before they are used. A
 * {@linkplain dev.sluice.samples.wal.SegmentHeader header} is followed by groups, each of which begins at a block of
 * 4096 bytes, so that a write never touches a block with records that are durable already. Each {@linkplain
 * dev.sluice.samples.wal.RecordFormat record} has the next number and a checksum. One group at a time is in flight. So
 * what a crash may damage is the last group: the log ends before the first record that is not intact. If there are
 * intact records of later groups, the log is damaged and is not opened.
 *
 * <p><b>After a failure nothing is claimed.</b> The system may drop what it could not write to the disk, and a later
 * force succeeds nevertheless. So a log that could not write or force a group has stopped: this and each later append
 * fails. When a log is opened, the records of its last segment, which may be in the system's cache only, are written
 * once more and forced, before the log continues.
 *
 * <p>What is public here, besides the command, is for the benchmarks: the log itself, and the format of its groups and
 * segments, in which they also write a log over {@link java.nio.channels.FileChannel} to compare it with.
 */
package dev.sluice.samples.wal;
