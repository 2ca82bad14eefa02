/**
 * The binding over JNA, for Java versions without the Foreign Function and Memory API.
 *
 * <p>Uses direct mapping of primitives wherever possible, since JNA's interface mapping costs a proxy, boxing and an
 * array per call. JNA keeps {@code errno}, or on Windows {@code GetLastError}, per thread right after the function
 * returns, before the JVM can overwrite it.
 */
@NullMarked
package dev.sluice.jna;

import org.jspecify.annotations.NullMarked;
