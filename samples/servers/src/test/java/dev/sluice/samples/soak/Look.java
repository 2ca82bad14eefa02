package dev.sluice.samples.soak;

import java.time.Duration;

/**
 * What a server holds on to when no client is connected.
 *
 * @param messages    it has answered until then
 * @param heap        bytes after a collection
 * @param nativeBytes that the library has allocated
 * @param direct      bytes of direct buffers
 * @param threads     of Java
 * @param descriptors that lead to no file
 * @param sockets     among them
 * @param resident    bytes of the process
 * @param cpu         time used until then
 * @param pace        the time that one message of the last round took, against that of the {@link Yardstick}
 */
record Look(long messages, long heap, long nativeBytes, long direct, int threads, long descriptors, long sockets,
            long resident, Duration cpu, double pace) {
}
