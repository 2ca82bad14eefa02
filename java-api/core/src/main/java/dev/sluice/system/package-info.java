/**
 * The operating system below the wrapper facades and the demultiplexers: what Linux, macOS, the BSDs and Windows do
 * differently, behind one port, {@link dev.sluice.system.OperatingSystem}, and the memory that holds the arguments of
 * calls.
 *
 * <p>As in {@link dev.sluice.calls}, a result is a count or a descriptor, or a negated error number: the caller, which
 * knows the subject, says what an error means. Nothing in here knows of handles; only the options for
 * opening a file are of their package.
 *
 * <p>For this library's facades and demultiplexers only.
 */
package dev.sluice.system;
