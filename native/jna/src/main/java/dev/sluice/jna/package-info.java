/**
 * The binding over JNA, for a Java that has no Foreign Function and Memory API yet.
 *
 * <p>Direct mapping of primitives wherever it can make the call: the interface mapping of JNA costs a proxy, boxing and
 * an array per call. JNA keeps {@code errno}, or on Windows {@code GetLastError}, per thread right after the function
 * returns, before the JVM can overwrite it.
 */
package dev.sluice.jna;
