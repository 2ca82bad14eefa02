/**
 * The campaign "out of memory": a {@link dev.sluice.campaign.memory.ScarceServer} in a JVM of its own that has little
 * heap and little direct memory, which is where all bindings get native memory from. Its clients, which have enough,
 * make hooks run out of it, and have all of it taken away for a while, so that the library itself runs out as well, of
 * what lies in the heap and of what calls see. Unlike in {@link dev.sluice.campaign.faults}, the virtual machine
 * determines which allocations fail.
 */
package dev.sluice.campaign.memory;
