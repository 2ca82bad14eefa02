/**
 * The operating system below the wrapper facades and the demultiplexers: what Linux, macOS, the BSDs and Windows do
 * differently, behind one port, {@link dev.sluice.system.OperatingSystem}, and the memory that calls are given their
 * arguments in.
 *
 * <p>As in {@link dev.sluice.calls}, a result is a count or a descriptor, or a negated error number: what an error
 * means is for the caller to say, who knows the subject. Nothing in here knows of handles.
 *
 * <p>For this library alone: facades and demultiplexers.
 */
package dev.sluice.system;
