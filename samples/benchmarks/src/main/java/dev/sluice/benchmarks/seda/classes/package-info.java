/** Two classes of request under overload, of which Haboob sheds one first or treats both alike. */
package dev.sluice.benchmarks.seda.classes;
